import { z } from "zod";
import { everySession } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { textList } from "#rules/members.ts";

/** Which columns of a table a person wants to see (section 7.1). */
export const sysSearchRelEdit = endpoint({
  id: "auth.sysSearchRelEdit",
  method: "POST",
  path: "/customer/sysSearchRel/edit",
  input: z.object({
    userId: codec.id,
    /** Keys of the shown columns, comma-joined. */
    cols: textList(200, 64),
    /** Which table: the path of its list; `cpe` and `client` stand for those two tables. */
    classType: codec.text(128, 1),
  }),
  output: nothing,
  may: everySession("the caller's own columns of lists"),
});
