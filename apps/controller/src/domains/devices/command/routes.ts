import {
  type CommandWhat,
  commandBytes,
  dialFinding,
  type RelayPath,
  relayCalls,
  relayFinding,
} from "@weft/contract/device/v1/commands.ts";
import { cpeReboot } from "@weft/contract/domains/devices/cpe-actions.ts";
import { initPing } from "@weft/contract/domains/devices/dial-task.ts";
import {
  commonGetHttp,
  commonHttp,
  commonHttpFileImport,
  commonPostHttp,
} from "@weft/contract/domains/devices/relay.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import type { UploadedFile } from "@weft/contract/kernel/uploaded-file.ts";
import type { FastifyInstance } from "fastify";
import { mountBatches } from "#batch/mount-batch.ts";
import { admitPassword } from "#domains/access/session/public.ts";
import { mountInSteps, mountSteps } from "#kernel/mount.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { awaitAnswer } from "./await.ts";
import { commandBatches } from "./batch.ts";
import { type Started, startCommand } from "./start-command.ts";

/** The command that a test is. */
const dialWhat = ({ host, count, type }: InputOf<typeof initPing>): CommandWhat => {
  switch (type) {
    case "ping":
      return { kind: "ping", host, count };
    case "http":
      return { kind: "http", url: host };
    case "dns":
      return { kind: "dns", name: host };
    case "trace":
      return { kind: "trace", host };
  }
};

interface Relayed {
  readonly cpeId: number;
  readonly url: string;
  readonly token: string;
  readonly [extra: string]: unknown;
}

/** The relay command of a call; its method must be the one that the path is meant for. */
function relayWhat(
  input: Relayed,
  method: "GET" | "POST" | null,
  file?: UploadedFile,
): CommandWhat {
  const { cpeId: _, url, token: _token, file: _file, ...extra } = input;
  const path = url as RelayPath;
  const meant = relayCalls[path];
  if (method !== null && method !== meant) refuseField("url", "notAllowed");
  if (file && file.bytes.length > commandBytes.file) refuse("tooLarge");
  return {
    kind: "relay",
    method: meant,
    path,
    fields: extra as Record<string, string>,
    file: file ? { name: file.name, base64: Buffer.from(file.bytes).toString("base64") } : null,
  };
}

function relayRoutes(app: FastifyInstance): void {
  const finish = async ({ id, untilMs }: Started, caller: Parameters<typeof awaitAnswer>[1]) =>
    relayFinding.parse((await awaitAnswer(app.weft, caller, id, untilMs)).result);
  const relays = [
    [commonHttp, null],
    [commonPostHttp, "POST"],
    [commonGetHttp, "GET"],
  ] as const;
  for (const [endpoint, method] of relays) {
    mountInSteps(
      app,
      endpoint,
      (input, ctx) => startCommand(ctx, input.cpeId, relayWhat(input as Relayed, method)),
      finish,
    );
  }
  mountInSteps(
    app,
    commonHttpFileImport,
    (input, ctx) =>
      startCommand(ctx, input.cpeId, relayWhat(input as unknown as Relayed, "POST", input.file)),
    finish,
  );
}

/** Commands to devices: restart, tests and what is passed on to their local API. */
export function commandRoutes(app: FastifyInstance): void {
  relayRoutes(app);
  mountBatches(app, commandBatches(app.weft.pools));
  mountSteps(
    app,
    cpeReboot,
    {
      before: ({ password }, caller) => admitPassword(app.weft.pools, caller, password),
      start: ({ cpeId }, ctx) => startCommand(ctx, cpeId, { kind: "reboot" }),
      async finish({ id, untilMs }, caller) {
        await awaitAnswer(app.weft, caller, id, untilMs);
        return null;
      },
    },
    { personOnly: "it asks for the login password of a person" },
  );
  mountInSteps(
    app,
    initPing,
    (input, ctx) => startCommand(ctx, input.cpeId, dialWhat(input)),
    async ({ id, untilMs }, caller) => {
      const { result } = await awaitAnswer(app.weft, caller, id, untilMs);
      const { ok, delayMs, lossPercent, lines } = dialFinding.parse(result);
      return { taskId: id, ok, delay: delayMs, loss: lossPercent, lines };
    },
  );
}
