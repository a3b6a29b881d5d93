import { z } from "zod";
import { screens } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, newId, nothing } from "#kernel/endpoint.ts";
import * as number from "#rules/number.ts";
import * as text from "#rules/text.ts";

/** Areas in which an enterprise sorts its CPEs, as a tree (section 6). */
export const cpeAreaDraft = z.object({
  groupid: codec.id,
  /** Area above; 0: none. */
  pId: codec.int(0, Number.MAX_SAFE_INTEGER),
  name: text.name,
  sort: codec.int(...number.ranges.nodeLifetime),
});

export const cpeAreaTree = endpoint({
  id: "cpeArea.tree",
  method: "GET",
  path: "/customer/cpeArea/tree",
  input: z.object({ groupid: codec.orNull(codec.id) }),
  output: z.array(
    z.object({
      id: z.number(),
      pId: z.number(),
      name: z.string(),
      groupid: z.number(),
      sort: z.number(),
      /** CPEs in it, not in those below it. */
      cpeCount: z.number(),
    }),
  ),
  may: screens("/sdwan-system/cpe"),
});

export const cpeAreaAdd = endpoint({
  id: "cpeArea.add",
  method: "POST",
  path: "/customer/cpeArea/add",
  input: cpeAreaDraft,
  output: newId,
  may: "cpeAreaAdd",
});

export const cpeAreaEdit = endpoint({
  id: "cpeArea.edit",
  method: "POST",
  path: "/customer/cpeArea/edit",
  input: cpeAreaDraft.extend({ id: codec.id }),
  output: nothing,
  may: "cpeAreaEdit",
});

/** CPEs of a removed area are in none. */
export const cpeAreaRemove = endpoint({
  id: "cpeArea.remove",
  method: "POST",
  path: "/customer/cpeArea/remove",
  input: z.object({ ids: codec.someIds }),
  output: nothing,
  may: "cpeAreaRemove",
});
