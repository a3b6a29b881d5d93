-- Contents of sections as the text that they are sent in and that their hash is taken over: nothing between the compile and
-- the device reads them again. Rows of before have the same value in another text, which a device normalizes.
alter table weft.state_section alter column content type text using content::text;
alter table weft.space_section alter column content type text using content::text;
