import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { isAway } from "#kernel/database-errors.ts";
import { withClient } from "./embedded/login.ts";

const retryMs = 1_000;
const patienceMs = 60_000;

/** Nothing answers yet: the machine, its name or the server is not up, or it is starting (57P03). */
const unreached =
  /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|57P03)$/;
/** What the client says, without a code, of a host that drops packets. */
const silent = /timeout expired/;

const isStillAway = (error: unknown, code: string, message: string): boolean =>
  unreached.test(code) || silent.test(message) || isAway(error);

/**
 * Waits until the PostgreSQL of WEFT_DATABASE_URL takes a login: after a power cut it may come up
 * later than this process.
 * @throws Error naming the setting, without the URL's password
 */
export async function awaitServer(
  url: string,
  logger: Pick<Logger, "warn">,
  { timeoutMs = patienceMs }: { readonly timeoutMs?: number } = {},
): Promise<void> {
  const began = Date.now();
  const place = URL.canParse(url) ? new URL(url).host : "";
  for (let tries = 1; ; tries++) {
    try {
      return await withClient(url, async () => undefined);
    } catch (error) {
      const { code = "", message } = error as { code?: string; message: string };
      if (!isStillAway(error, code, message)) {
        throw new Error(`WEFT_DATABASE_URL: PostgreSQL at ${place} refused the login: ${message}`, {
          cause: error,
        });
      }
      if (Date.now() - began >= timeoutMs) {
        throw new Error(
          `WEFT_DATABASE_URL: PostgreSQL at ${place} did not answer within ${timeoutMs / 1_000} s ` +
            `(${code}, ${tries} tries).`,
          { cause: error },
        );
      }
      if (tries === 1) logger.warn({ place, code }, "PostgreSQL does not respond; retrying");
      await sleep(retryMs);
    }
  }
}
