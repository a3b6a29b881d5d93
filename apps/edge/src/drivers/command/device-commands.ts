/** Commands on a real device. */
import { join } from "node:path";
import { type CommandKind, commandCapability } from "@weft/contract/device/v1/commands.ts";
import type { Device } from "#drivers/device.ts";
import { dnsPaths } from "#drivers/dns/apply.ts";
import type { Capability, Commands } from "#drivers/driver.ts";
import { succeeds } from "#drivers/exec.ts";
import * as dials from "./dials.ts";
import { callLocal, importOf, type LocalCalls, serveLocal } from "./local-api.ts";

/** Only a service manager brings the device and this program back. */
const restartObstacle = (): string | null =>
  process.env.INVOCATION_ID ? null : "the edge does not run as a service of this device";

const json = async (device: Device, ...argv: [string, ...string[]]): Promise<unknown> =>
  JSON.parse((await device.run(argv)) || "[]");

const callsOf = (device: Device, status: () => unknown): LocalCalls => ({
  "/status": async () => ({ status: 200, body: status() }),
  "/interfaces": async () => ({ status: 200, body: await json(device, "ip", "-j", "address") }),
  "/routes": async () => ({
    status: 200,
    body: [...((await json(device, "ip", "-j", "route")) as unknown[])].slice(0, 1_000),
  }),
  "/leases": async () => ({
    status: 200,
    body: await device
      .run(["cat", dnsPaths(device).leases])
      .then((text) => text.split("\n").filter((line) => line !== ""))
      .catch(() => []),
  }),
  "/import": importOf,
});

const always = (kind: CommandKind, reason: string | null = null): Capability => ({
  name: commandCapability(kind),
  can: reason === null,
  reason,
});

/**
 * Commands that use this device's tools. The local API opens its socket when it is first asked.
 * @param status what `/status` says of the edge
 */
export function createCommands(device: Device): Commands {
  const socket = join(device.dataDir, "api.sock");
  let status: () => unknown = () => null;
  let served: ReturnType<typeof serveLocal> | null = null;
  const local = (): ReturnType<typeof serveLocal> => {
    served ??= serveLocal(
      socket,
      callsOf(device, () => status()),
    );
    return served;
  };
  return {
    describe(reported) {
      status = reported;
    },
    async capabilities() {
      const hasPing = await succeeds(device.run, ["ping", "-V"]);
      const noPing = hasPing ? null : "there is no ping";
      return [
        always("reboot", restartObstacle()),
        always("ping", noPing),
        always("trace", noPing),
        ...(["http", "dns", "drift", "relay"] as const).map((kind) => always(kind)),
      ];
    },
    async dial(what, timeoutMs) {
      if (what.kind === "ping") return dials.ping(device.run, what.host, what.count, timeoutMs);
      if (what.kind === "http") return dials.http(what.url, timeoutMs);
      if (what.kind === "dns") return dials.dns(what.name, timeoutMs);
      return dials.trace(device.run, what.host, timeoutMs);
    },
    async relay({ method, path, fields, file }, timeoutMs) {
      await local();
      return callLocal(socket, method, path, { fields, file }, timeoutMs);
    },
    restartObstacle,
    async restart() {
      await device.run(["systemctl", "reboot"]);
    },
    async close() {
      (await served)?.close();
    },
  };
}
