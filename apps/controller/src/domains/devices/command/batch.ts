import { cpeBatchReboot } from "@weft/contract/domains/devices/cpe-batch.ts";
import { batchAction } from "#batch/batch-action.ts";
import { confirmByPassword } from "#domains/access/session/public.ts";
import { cpeTargets } from "#domains/devices/node/public.ts";
import { startCommand } from "./start-command.ts";

/**
 * Commands to many devices at once. A row is done when its command waits for the device, which takes it
 * within moments; its result is listed with the device's commands.
 */
export const commandBatches = [
  batchAction(cpeBatchReboot, {
    targets: cpeTargets,
    // The password is checked once and kept nowhere.
    prepare: async (ctx, { password }) => {
      await confirmByPassword(ctx, password);
      return {};
    },
    act: async (ctx, id) => {
      await startCommand(ctx, id, { kind: "reboot" });
    },
    personOnly: "it asks for the login password of a person",
  }),
];
