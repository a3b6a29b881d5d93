/**
 * White label: how the console looks to an agent and to all below it (section 3: logo,
 * logoName). What an enterprise does not set it has from the nearest one above.
 */
import { z } from "zod";
import { themeColours } from "#domains/access/theme.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { expectedVersion, rowVersion, versionedSettings } from "#kernel/row-version.ts";
import { failsWith } from "#kernel/rule.ts";
import { isDomain } from "#rules/host.ts";

/** Where pictures are served: `/brand/<SHA-256 of the bytes>`. Not an endpoint: the answer is one. */
export const brandPath = "/brand";

/** `logo` is shown beside the name, `icon` on the tab of the browser. */
export const brandImages = ["logo", "icon"] as const;
export type BrandImage = (typeof brandImages)[number];

/** Largest file that is taken, in bytes. */
export const brandFileLimit = 1_048_576;
/** Longest side that is taken, in pixels: what is larger is never decoded. */
export const brandSideLimit = 4_096;
/** Bounds into which a picture is fitted, in pixels; it keeps its proportions. */
export const brandBoxes: Readonly<Record<BrandImage, { width: number; height: number }>> = {
  logo: { width: 480, height: 96 },
  icon: { width: 128, height: 128 },
};

/** What a brand says; null: nothing of its own. Pictures are paths below the base URL. */
const appearance = {
  name: z.string().nullable(),
  color: z.enum(themeColours).nullable(),
  logo: z.string().nullable(),
  icon: z.string().nullable(),
};

const values = {
  /** Shown beside the logo. */
  name: codec.orNull(codec.text(32)),
  /** For all who have selected no colour of their own. */
  color: codec.orNull(codec.oneOf(themeColours)),
  /** Host name under which the login has this brand; only an operator sets it. */
  host: codec.orNull(codec.text(253).refine(isDomain, failsWith("host"))),
};
export const brandDraft = z.object(values);

export const brandGet = endpoint({
  id: "brand.getByGroupId",
  method: "GET",
  path: "/customer/brand/getByGroupId",
  input: z.object({ groupid: codec.id }),
  output: z.object({
    groupid: z.number(),
    ...appearance,
    host: z.string().nullable(),
    rowVersion,
    /** What holds in place of what it does not set. */
    above: z.object(appearance),
  }),
  may: "enterpriseEdit",
});

export const brandEdit = endpoint({
  id: "brand.edit",
  method: "POST",
  path: "/customer/brand/edit",
  input: z.object({ groupid: codec.id, ...values, rowVersion: expectedVersion }),
  output: nothing,
  may: "enterpriseEdit",
});
export const brandVersions = versionedSettings("brand", brandGet.output, brandEdit.input);

/** A PNG, JPEG or WebP; it is decoded and re-encoded, so that nothing but its pixels is kept. */
export const brandEditImage = endpoint({
  id: "brand.editImage",
  method: "POST",
  path: "/customer/brand/editImage",
  input: z.object({ groupid: codec.id, kind: codec.oneOf(brandImages), file: codec.file() }),
  output: z.object({ path: z.string() }),
  may: "enterpriseEdit",
});

export const brandRemoveImage = endpoint({
  id: "brand.removeImage",
  method: "POST",
  path: "/customer/brand/removeImage",
  input: z.object({ groupid: codec.id, kind: codec.oneOf(brandImages) }),
  output: nothing,
  may: "enterpriseEdit",
});
