import {
  brandEdit,
  brandEditImage,
  brandGet,
  brandPath,
  brandRemoveImage,
  brandVersions,
} from "@weft/contract/domains/enterprises/brand.ts";
import type { FastifyInstance } from "fastify";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { requireUnchanged, rowWithETag } from "#kernel/row-version.ts";
import { requireEnterprise } from "#kernel/scope.ts";
import { takePicture } from "./picture.ts";
import { pictureBytes, readBrand, setBrand, setPicture } from "./store.ts";

const audit = (ctx: HandlerContext, groupid: number, values: { old: object; new: object }) =>
  ctx.audit({ resource: "brand", rowId: groupid, enterpriseId: groupid, ...values });

/** Calls of /customer/brand, and the pictures themselves (specification sections 3 and 7.1). */
export function brandRoutes(app: FastifyInstance): void {
  mount(app, brandGet, async ({ groupid }, ctx) => {
    await requireEnterprise(ctx, groupid, "groupid");
    return rowWithETag(ctx, await readBrand(ctx, groupid));
  });
  mount(app, brandEdit, async ({ rowVersion, ...input }, ctx) => {
    const { groupid: id } = input;
    await requireEnterprise(ctx, id, "groupid");
    await requireUnchanged(ctx, brandVersions, { id, rowVersion }, () => readBrand(ctx, id));
    await audit(ctx, input.groupid, await setBrand(ctx, input));
    return null;
  });
  mount(app, brandEditImage, async ({ groupid, kind, file }, ctx) => {
    await requireEnterprise(ctx, groupid, "groupid");
    const picture = await takePicture(kind, file.bytes);
    await audit(ctx, groupid, await setPicture(ctx, groupid, kind, picture));
    return { path: `${brandPath}/${picture.digest}` };
  });
  mount(app, brandRemoveImage, async ({ groupid, kind }, ctx) => {
    await requireEnterprise(ctx, groupid, "groupid");
    await audit(ctx, groupid, await setPicture(ctx, groupid, kind, null));
    return null;
  });
  servePictures(app);
}

/** Pictures by the digest of their bytes: cached by browsers without expiry, and never anything but PNG. */
function servePictures(app: FastifyInstance): void {
  app.get<{ Params: { digest: string } }>(
    `${brandPath}/:digest`,
    { exposeHeadRoute: false },
    async ({ params: { digest } }, reply) => {
      const content = /^[0-9a-f]{64}$/.test(digest)
        ? await pictureBytes(app.weft.pools, digest)
        : null;
      // No envelope: the caller wants a picture.
      if (!content) return reply.code(404).send();
      return reply
        .type("image/png")
        .header("cache-control", "public, max-age=31536000, immutable")
        .send(content);
    },
  );
}
