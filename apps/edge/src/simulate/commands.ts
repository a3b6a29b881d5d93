/** Commands on a device without a machine: the same calls and limits, metrics out of its seed. */
import {
  type CommandKind,
  commandCapability,
  type DialFinding,
} from "@weft/contract/device/v1/commands.ts";
import { parseAddress } from "@weft/contract/rules/address.ts";
import { answerLocal, importOf, type LocalCalls } from "#drivers/command/local-api.ts";
import { isRefused, RefusedError } from "#drivers/command/targets.ts";
import type { Commands } from "#drivers/driver.ts";
import type { Clock } from "#edge/clock.ts";
import type { Character } from "./character.ts";
import { seededFraction, seedOf } from "./seeded.ts";

const kinds: readonly CommandKind[] = ["reboot", "ping", "http", "dns", "trace", "drift", "relay"];
const round = (value: number): number => Math.round(value * 100) / 100;

/** An address of the documentation range for a name: the same one every time (RFC 5737). */
const addressOf = (host: string): string =>
  parseAddress(host) ? host : `203.0.113.${(seedOf(host) % 253) + 1}`;

const hostOf = (what: Parameters<Commands["dial"]>[0]): string =>
  what.kind === "http" ? new URL(what.url).hostname : what.kind === "dns" ? what.name : what.host;

export const simulatedCommands = (
  clock: Clock,
  seed: number,
  character: Character,
  seen: () => { readonly interfaces: readonly unknown[]; readonly routes: readonly unknown[] },
): Commands => {
  let status: () => unknown = () => null;
  const calls: LocalCalls = {
    "/status": async () => ({ status: 200, body: status() }),
    "/interfaces": async () => ({ status: 200, body: seen().interfaces }),
    "/routes": async () => ({ status: 200, body: seen().routes }),
    "/leases": async () => ({ status: 200, body: [] }),
    "/import": importOf,
  };
  return {
    describe(reported) {
      status = reported;
    },
    capabilities: async () =>
      kinds.map((kind) => ({ name: commandCapability(kind), can: true, reason: null })),
    async dial(what): Promise<DialFinding> {
      const host = hostOf(what);
      const address = addressOf(host);
      if (isRefused(address)) throw new RefusedError(`${address} is not to be tested`);
      const noise = seededFraction(seed, seedOf(host), Math.floor(clock.now() / 10_000));
      const delayMs = round(
        4 + 40 * seededFraction(seed, seedOf(host)) + 3 * noise + character.extraRttMs,
      );
      if (what.kind === "dns") return { ok: true, delayMs, lossPercent: null, lines: [address] };
      if (what.kind === "http") {
        return { ok: true, delayMs, lossPercent: null, lines: ["HTTP 200 OK", address] };
      }
      if (what.kind === "trace") {
        const hops = [`1 10.0.0.1 ${round(delayMs / 4)} ms`, `2 ${address} ${delayMs} ms`];
        return { ok: true, delayMs, lossPercent: null, lines: hops };
      }
      const lost = noise * 100 < character.lossPercent ? 1 : 0;
      const lossPercent = round((100 * lost) / what.count);
      const summary = `${what.count} packets transmitted, ${what.count - lost} received, ${lossPercent}% packet loss`;
      return { ok: lost < what.count, delayMs, lossPercent, lines: [`PING ${address}`, summary] };
    },
    relay: ({ method, path, fields, file }) => answerLocal(calls, method, path, { fields, file }),
    restartObstacle: () => null,
    restart: async () => {},
    close: async () => {},
  };
};
