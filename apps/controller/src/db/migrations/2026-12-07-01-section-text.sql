-- Contents of sections in the text that they are sent in and that their hash is taken over, which the type json keeps and jsonb
-- does not: nothing between the compile and the device reads them again. Rows of before have the same value in another text,
-- which a device normalizes.
alter table weft.state_section alter column content type json using content::json;
alter table weft.space_section alter column content type json using content::json;
