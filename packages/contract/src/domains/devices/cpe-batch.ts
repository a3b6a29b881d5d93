/** What is done with many CPEs at once. */

import { batchOf } from "#kernel/batch.ts";
import * as codec from "#kernel/codec.ts";
import { cpe } from "./cpe.ts";
import { givenItems } from "./cpe-config.ts";

/** Enables or disables each: without it no link is up. */
export const cpeBatchEnable = batchOf(cpe.ops.list, {
  id: "cpe.batchEnable",
  path: "/customer/cpe/batchEnable",
  may: "cpeBatch",
  fields: { setEnable: codec.flag },
});

/** Sets the given items; those that are missing or empty stay as each CPE has them. */
export const cpeBatchConfig = batchOf(cpe.ops.list, {
  id: "cpe.batchConfig",
  path: "/customer/cpe/batchConfig",
  may: "cpeBatch",
  fields: givenItems,
});

/** Restarts the devices. `password` is the caller's own login password. */
export const cpeBatchReboot = batchOf(cpe.ops.list, {
  id: "cpe.batchReboot",
  path: "/customer/cpe/batchReboot",
  may: "cpeReboot",
  fields: { password: codec.text(128, 1) },
});

/** Takes each into a network space that its enterprise may be in. */
export const cpeBatchJoin = batchOf(cpe.ops.list, {
  id: "cpe.batchJoin",
  path: "/customer/cpe/batchJoin",
  may: "netSpaceEdit",
  fields: { netSpaceId: codec.id },
});

/** Moves each to an area of its enterprise; null: to none. */
export const cpeBatchMove = batchOf(cpe.ops.list, {
  id: "cpe.batchMove",
  path: "/customer/cpe/batchMove",
  may: "cpeEdit",
  fields: { toAreaId: codec.orNull(codec.id) },
});

export const cpeBatchRemove = batchOf(cpe.ops.list, {
  id: "cpe.batchRemove",
  path: "/customer/cpe/batchRemove",
  may: "cpeRemove",
  fields: {},
});
