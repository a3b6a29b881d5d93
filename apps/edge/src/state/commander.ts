/** Carries out commands of the controller, a few at a time, and the daily restart of the state. */
import {
  type CommandWhat,
  commandBytes,
  type DialFinding,
  type DriftFinding,
} from "@weft/contract/device/v1/commands.ts";
import type { MessageFromController, MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { RefusedError } from "#drivers/command/targets.ts";
import type { Machine } from "#drivers/driver.ts";
import { type Clock, sleep } from "#edge/clock.ts";
import { type Log, reasonOf } from "#edge/log.ts";
import type { Link } from "#link/link.ts";

export interface CommanderDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly machine: Machine;
  readonly link: Link;
  /** Checks the machine now; true: and corrects what differs. */
  drift(heal: boolean): Promise<DriftFinding>;
  /** Time of day of the running state's restart, in the device's own time; null: none. */
  restartAt(): { readonly hour: number; readonly minute: number } | null;
}

type Command = MessageFromController<"command">;
type Answer = Omit<MessageFromEdge<"answer">, "type" | "id">;

/** Commands under way at the same time; the controller asks for no more than eight. */
const maxAtOnce = 8;
/** The answer gets away before the device goes down. */
const restartDelayMs = 1_000;
const pollMs = 20_000;
/** A device that came up only now was restarted by this very minute. */
const freshMs = 180_000;

const done = (result: unknown): Answer => ({ outcome: "done", reason: null, result });

export class Commander {
  readonly #deps: CommanderDeps;
  readonly #startedAt: number;
  #running = 0;
  #restartedOn = "";

  constructor(deps: CommanderDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.monotonic();
  }

  /** Never throws: whatever goes wrong is the answer. */
  async take({ id, timeoutMs, what }: Command): Promise<void> {
    const answer = await this.#answer(what, timeoutMs);
    this.#deps.log.info({ command: id, kind: what.kind, outcome: answer.outcome }, "command");
    this.#deps.link.send({ type: "answer", id, ...answer });
    if (what.kind === "reboot" && answer.outcome === "done") await this.#restart();
  }

  /** Restarts the device once a day, when the running state says so. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    while (!signal.aborted) {
      await sleep(clock, pollMs, signal);
      if (!signal.aborted && this.#isDue()) await this.#restart();
    }
  }

  #isDue(): boolean {
    const { clock, machine } = this.#deps;
    const at = this.#deps.restartAt();
    if (!at || clock.monotonic() - this.#startedAt < freshMs) return false;
    const now = new Date(clock.now());
    const today = now.toDateString();
    if (now.getHours() !== at.hour || now.getMinutes() !== at.minute) return false;
    if (this.#restartedOn === today || machine.commands.restartObstacle() !== null) return false;
    this.#restartedOn = today;
    return true;
  }

  async #restart(): Promise<void> {
    const { clock, machine, link, log } = this.#deps;
    await sleep(clock, restartDelayMs, new AbortController().signal);
    try {
      await machine.commands.restart();
      link.drop("the device restarts");
    } catch (error) {
      log.error({ why: reasonOf(error) }, "the device could not be restarted");
    }
  }

  async #answer(what: CommandWhat, timeoutMs: number): Promise<Answer> {
    if (this.#running >= maxAtOnce) {
      return { outcome: "refused", reason: "too many commands at once", result: null };
    }
    this.#running += 1;
    try {
      return await this.#inTime(this.#do(what, timeoutMs), timeoutMs);
    } catch (error) {
      const outcome = error instanceof RefusedError ? "refused" : "failed";
      return { outcome, reason: reasonOf(error).slice(0, 1_000), result: null };
    } finally {
      this.#running -= 1;
    }
  }

  async #do(what: CommandWhat, timeoutMs: number): Promise<Answer> {
    const { commands } = this.#deps.machine;
    if (what.kind === "reboot") {
      const obstacle = commands.restartObstacle();
      if (obstacle !== null) throw new RefusedError(obstacle);
      return done(null);
    }
    if (what.kind === "drift") return done(await this.#deps.drift(what.heal));
    if (what.kind === "relay") return sized(done(await commands.relay(what, timeoutMs)));
    return done(clipped(await commands.dial(what, timeoutMs)));
  }

  /** After its time an answer is of no use. */
  async #inTime(work: Promise<Answer>, timeoutMs: number): Promise<Answer> {
    const over = new AbortController();
    const late = sleep(this.#deps.clock, timeoutMs, over.signal).then((): Answer => {
      return { outcome: "failed", reason: "not done in time", result: null };
    });
    return Promise.race([work, late]).finally(() => over.abort());
  }
}

const sized = (answer: Answer): Answer =>
  JSON.stringify(answer.result).length > commandBytes.result
    ? { outcome: "failed", reason: "the answer is too large", result: null }
    : answer;

/** What a tool printed may be longer than the contract lets through. */
const clipped = (finding: DialFinding): DialFinding => ({
  ...finding,
  lines: finding.lines.slice(0, 100).map((line) => line.slice(0, 400)),
});
