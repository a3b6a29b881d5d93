/** Calls that are passed on to the local API of one device, and never to anywhere else (section 7.3). */
import { z } from "zod";
import { relayCalls } from "#contract/device/v1/commands.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { failsWith } from "#kernel/rule.ts";

const paths = Object.keys(relayCalls);

const fields = {
  cpeId: codec.id,
  /** A listed path of the device's local API: no host, no scheme, no query. */
  url: codec
    .text(256, 1)
    .refine((url) => paths.includes(url), failsWith("oneOf", { values: paths.join(", ") })),
  /** The caller's session token once more; it is not passed on. */
  token: codec.text(256),
};

/** Everything else goes to the device as text. */
const input = z.object(fields).catchall(z.string().max(65_536));

const output = z.object({
  /** As in HTTP. */
  status: z.number(),
  body: z.unknown(),
});

/** With the method that the path is meant for. */
export const commonHttp = endpoint({
  id: "common.commonHttp",
  method: "POST",
  path: "/customer/common/commonHttp",
  input,
  output,
  may: "cpeDiagnosis",
});

export const commonPostHttp = endpoint({
  id: "common.commonPostHttp",
  method: "POST",
  path: "/customer/common/commonPostHttp",
  input,
  output,
  may: "cpeDiagnosis",
});

export const commonGetHttp = endpoint({
  id: "common.commonGetHttp",
  method: "GET",
  path: "/customer/common/commonGetHttp",
  input,
  output,
  may: "cpeDiagnosis",
  // It leaves a command and an audit row.
  acts: true,
});

export const commonHttpFileImport = endpoint({
  id: "common.commonHttpFileImport",
  method: "POST",
  path: "/customer/common/commonHttpFileImport",
  input: z.object({ ...fields, file: codec.file() }).catchall(z.string().max(65_536)),
  output,
  may: "cpeDiagnosis",
});
