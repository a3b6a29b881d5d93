import { sysSearchRelEdit } from "@weft/contract/domains/access/saved-columns.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { refuseField } from "#kernel/refuse.ts";
import { saveColumns } from "./store.ts";

/** POST /customer/sysSearchRel/edit (specification section 7.1). */
export function savedColumnRoutes(app: FastifyInstance): void {
  mount(
    app,
    sysSearchRelEdit,
    async ({ userId, cols, classType }, ctx) => {
      if (userId !== ctx.caller.userId) refuseField("userId", "notAllowed");
      await saveColumns(ctx, classType, cols);
      return null;
    },
    {
      unaudited: "how a person looks at a table changes nothing for anybody else",
      personOnly: "a key looks at no table",
    },
  );
}
