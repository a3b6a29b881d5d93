-- Whether a session of the account itself made the change: whoever held it may own the former address of a later one.
alter table weft.contact_change add column by_own boolean not null default false;
-- Codes of a recovery that were sent before an administrator's reset open the account no more.
alter table weft.sys_user add column codes_from timestamptz;
