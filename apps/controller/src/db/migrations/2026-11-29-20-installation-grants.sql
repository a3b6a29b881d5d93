-- The row of the installation holds the epoch, the controller's keys and the fingerprint of the key for
-- secrets. No role but the owner writes it, and functions of the owner: row-level security refuses the
-- others already, and now they have no right to it either.
revoke insert, update, delete on weft.installation from weft_api, weft_api_all, weft_worker;
