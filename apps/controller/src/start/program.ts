import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { type Controller, createController } from "./controller.ts";
import type { Settings } from "./settings.ts";

export interface Program {
  /** The controller that runs now; another one once the demonstration was left. */
  controller(): Promise<Controller>;
  /** True once it was told to close: a start that fails from then on was broken off. */
  isEnding(): boolean;
  /** Ends the controller, and a start that is under way at its next step. */
  close(): Promise<void>;
}

/** Says, for all later starts, that the demonstration was left. Removing it brings it back. */
const markOf = (settings: Settings): string =>
  join(resolve(settings.dataDir), "demonstration", "left");

async function leaveMark(settings: Settings): Promise<void> {
  const file = markOf(settings);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, `${new Date().toISOString()}\n`, { flush: true });
}

/**
 * Runs a controller, in the demonstration until that is left: then the same process goes on with
 * the empty installation beside it.
 * @param failed is called when the installation after the demonstration does not start.
 */
export function startProgram(
  settings: Settings,
  failed: (error: unknown) => void,
  logger?: Logger,
): Program {
  const end = new AbortController();
  const given = { signal: end.signal, ...(logger && { logger }) };
  const isLeft = settings.demonstration && existsSync(markOf(settings));
  const real: Settings = { ...settings, demonstration: false };
  const leave = async (adminPasswordHash: string): Promise<void> => {
    await leaveMark(settings);
    const old = current;
    // Closing waits for the call that asked for it; this must not wait for closing.
    current = old.then(async (controller) => {
      await controller.close();
      // Browsers look for it where it was, also when any free port was asked for.
      const port = Number(new URL(controller.url).port);
      return createController({ ...real, port }, { ...given, adminPasswordHash });
    });
    current.catch((error: unknown) => {
      if (!end.signal.aborted) failed(error);
    });
  };
  let current: Promise<Controller> =
    settings.demonstration && !isLeft
      ? createController(settings, { ...given, leaveDemonstration: leave })
      : createController(real, given);
  return {
    controller: () => current,
    isEnding: () => end.signal.aborted,
    async close() {
      end.abort();
      // A start that is broken off ends what it had started by itself.
      await (await current.catch(() => null))?.close();
    },
  };
}
