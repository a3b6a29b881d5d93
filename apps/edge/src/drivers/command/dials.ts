/** Tests from this device: ping, HTTP, DNS and trace, with the tools that a Linux has. */
import { Resolver } from "node:dns/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { DialFinding } from "@weft/contract/device/v1/commands.ts";
import { CommandFailed, type Run } from "#drivers/exec.ts";
import { resolveTarget } from "./targets.ts";

const round = (value: number): number => Math.round(value * 100) / 100;

/** What iputils' ping printed, of packets and times. Pure. */
export function readPing(text: string): DialFinding {
  const loss = /([\d.]+)% packet loss/.exec(text)?.[1];
  const average = /= [\d.]+\/([\d.]+)\//.exec(text)?.[1];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return {
    ok: average !== undefined,
    delayMs: average === undefined ? null : round(Number(average)),
    lossPercent: loss === undefined ? null : Number(loss),
    lines: lines.slice(0, 40).map((line) => line.slice(0, 400)),
  };
}

/** A tool that ends with a status has still printed what it saw. */
const outputOf = (error: unknown): string => {
  if (error instanceof CommandFailed) return error.message;
  throw error;
};

export async function ping(
  run: Run,
  host: string,
  count: number,
  timeoutMs: number,
): Promise<DialFinding> {
  const { address } = await resolveTarget(host);
  const waits = ["-i", "0.3", "-W", "2", "-w", String(Math.floor(timeoutMs / 1_000) - 1)];
  const argv = ["ping", "-n", "-c", String(count), ...waits, address] as const;
  return readPing(await run([...argv], { timeoutMs }).catch(outputOf));
}

/** One GET of a URL, without following where it points; the body is thrown away. */
export async function http(url: string, timeoutMs: number): Promise<DialFinding> {
  const target = new URL(url);
  const { address, family } = await resolveTarget(target.hostname.replace(/^\[|\]$/g, ""));
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const send = target.protocol === "https:" ? httpsRequest : httpRequest;
    const call = send(
      target,
      {
        // The address that was looked at, whatever the name says by now.
        lookup: (_name, _options, done) => done(null, [{ address, family }]),
        timeout: timeoutMs,
        headers: { "user-agent": "weft-edge", connection: "close" },
      },
      (answer) => {
        const delayMs = round(performance.now() - startedAt);
        const status = answer.statusCode ?? 0;
        answer.destroy();
        resolve({
          ok: status > 0 && status < 400,
          delayMs,
          lossPercent: null,
          lines: [`HTTP ${status} ${answer.statusMessage ?? ""}`.trim(), `${address}`],
        });
      },
    );
    call.on("timeout", () => call.destroy(new Error("no answer in time")));
    call.on("error", reject);
    call.end();
  });
}

/** The addresses of a name, as the resolvers of this device know them. */
export async function dns(name: string, timeoutMs: number): Promise<DialFinding> {
  const resolver = new Resolver({ timeout: Math.floor(timeoutMs / 2), tries: 1 });
  const startedAt = performance.now();
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const delayMs = round(performance.now() - startedAt);
  const addresses = answers.flatMap((answer) =>
    answer.status === "fulfilled" ? answer.value : [],
  );
  const failed = answers.flatMap((answer) =>
    answer.status === "rejected" ? [String((answer.reason as Error).message)] : [],
  );
  const ok = addresses.length > 0;
  return {
    ok,
    delayMs: ok ? delayMs : null,
    lossPercent: null,
    lines: [...addresses, ...(ok ? [] : failed)].slice(0, 40),
  };
}

const maxHops = 20;

/** One hop: who answered, and after how long. Null: no answer. Pure. */
export function readHop(
  text: string,
): { readonly from: string; readonly ms: string | null } | null {
  const from = /(?:From|from) ([0-9a-fA-F.:]+?)[: ]/.exec(text)?.[1];
  if (from === undefined) return null;
  return { from, ms: /time=([\d.]+)/.exec(text)?.[1] ?? null };
}

/** Asks with a growing number of hops until the target itself answers. */
export async function trace(run: Run, host: string, timeoutMs: number): Promise<DialFinding> {
  const { address } = await resolveTarget(host);
  const end = performance.now() + timeoutMs - 2_000;
  const lines: string[] = [];
  let delayMs: number | null = null;
  for (let hop = 1; hop <= maxHops && performance.now() < end; hop += 1) {
    const argv = ["ping", "-n", "-c", "1", "-W", "1", "-t", String(hop), address] as const;
    const text = await run([...argv], { timeoutMs: 3_000 }).catch(outputOf);
    const answer = readHop(text);
    const shown = answer ? `${answer.from}${answer.ms ? ` ${answer.ms} ms` : ""}` : "*";
    lines.push(`${hop} ${shown}`);
    if (answer?.ms && answer.from === address) {
      delayMs = round(Number(answer.ms));
      break;
    }
  }
  return { ok: delayMs !== null, delayMs, lossPercent: null, lines };
}
