/** What strangers, users and devices do to a controller, each for as long as it is not ended. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { utils, write } from "@e965/xlsx";
import { socketPath } from "@weft/contract/device/v1/messages.ts";
import { loginRecordExport } from "@weft/contract/domains/access/record.ts";
import { login } from "@weft/contract/domains/access/session.ts";
import { sheetImport } from "@weft/contract/domains/access/sheet.ts";
import { cpeReboot } from "@weft/contract/domains/devices/cpe-actions.ts";
import { liveTicket } from "@weft/contract/domains/monitoring/live.ts";
import type { Envelope } from "@weft/contract/kernel/endpoint.ts";
import { answerFrom } from "./abuse-caller.ts";
import type { AbuseWorld } from "./abuse-world.ts";
import { FakeEdge, Line } from "./fake-edge.ts";

interface Running {
  /** Connections, calls or messages so far. */
  offered(): number;
  /** What became of them -> how many: codes of answers, or errors. */
  outcomes(): ReadonlyMap<string, number>;
  end(): Promise<void>;
}

export interface Flood {
  readonly name: string;
  start(world: AbuseWorld): Running;
}

/** One of a thousand addresses of this machine: strangers are many. */
const stranger = (at: number): string => `127.0.${10 + (at % 4)}.${1 + (at % 250)}`;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const outcomeOf = (error: Error & { readonly code?: string }): string => error.code ?? error.name;
const codeOf = ({ code }: Envelope): string => `code ${code}`;

/** The same work by so many at once, again and again. */
function workers(count: number, work: (at: number) => Promise<string>, pauseMs = 0): Running {
  let offered = 0;
  let isOver = false;
  const outcomes = new Map<string, number>();
  const run = async (): Promise<void> => {
    while (!isOver) {
      offered += 1;
      const outcome = await work(offered).catch((error: Error) => outcomeOf(error));
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await pause(pauseMs);
    }
  };
  const all = Array.from({ length: count }, run);
  return {
    offered: () => offered,
    outcomes: () => outcomes,
    async end() {
      isOver = true;
      await Promise.all(all);
    },
  };
}

/** Connections to both ports that ask nothing, each opened again when it ends. */
const silent: Flood = {
  name: "silent connections to both ports",
  start({ controller }) {
    const open = new Set<Socket>();
    const ports = [Number(new URL(controller.url).port), controller.edgePort];
    const running = workers(
      800,
      async (at) => {
        const port = ports[at % 2] ?? 0;
        const socket = connect({ port, host: "127.0.0.1", localAddress: stranger(at) });
        open.add(socket);
        socket.on("error", () => undefined);
        await once(socket, "close");
        open.delete(socket);
        return "ended";
      },
      100,
    );
    return {
      ...running,
      async end() {
        const ended = running.end();
        const sweep = setInterval(() => {
          for (const socket of open) socket.destroy();
        }, 100);
        await ended;
        clearInterval(sweep);
      },
    };
  },
};

/** Sockets of devices that never say which device they are. */
const speechless: Flood = {
  name: "sockets of devices without a hello",
  start({ controller }) {
    const open = new Set<Line>();
    const url = `wss://127.0.0.1:${controller.edgePort}${socketPath}`;
    const running = workers(
      200,
      async (at) => {
        const line = new Line(url, {}, stranger(at));
        open.add(line);
        const code = await line.closed;
        open.delete(line);
        return `closed ${code}`;
      },
      100,
    );
    return {
      ...running,
      async end() {
        const ended = running.end();
        const sweep = setInterval(() => {
          for (const { socket } of open) socket.terminate();
        }, 100);
        await ended;
        clearInterval(sweep);
      },
    };
  },
};

/** About 200 a second, from everywhere, half of them for the account of somebody who is there. */
const wrongLogins: Flood = {
  name: "wrong log-ins",
  start: ({ controller: { url }, served: { person } }) =>
    workers(
      300,
      async (at) => {
        const loginName = at % 2 === 0 ? person.loginName : `nobody${at}@abuse`;
        const input = { loginName, password: "wr0ng-Pass", sms: null };
        return codeOf(await answerFrom({ url, localAddress: stranger(at) }, login, input));
      },
      1_500,
    ),
};

const tickets: Flood = {
  name: "tickets, exports and restarts by a user without permissions",
  start: ({ abuser: { reader } }) =>
    workers(24, async (at) => {
      if (at % 3 === 0) return codeOf(await answerFrom(reader, liveTicket, {}));
      if (at % 3 === 1) {
        const input = loginRecordExport.input.parse({});
        return codeOf(await answerFrom(reader, loginRecordExport, input));
      }
      const guess = { cpeId: 1, password: "wr0ng-Pass" };
      return codeOf(await answerFrom(reader, cpeReboot, guess));
    }),
};

/** Small as a file, and 31 MB when it is unpacked. */
function largeSheet(): Uint8Array<ArrayBuffer> {
  const rows = Array.from({ length: 4_000 }, (_, at) => [`${at}${"x".repeat(7_800)}`]);
  const book = utils.book_new(utils.aoa_to_sheet([["interfaceName"], ...rows]), "rows");
  const options = { type: "buffer", bookType: "xlsx", compression: true } as const;
  return Uint8Array.from(write(book, { ...options, bookSST: true }) as Uint8Array);
}

const imports: Flood = {
  name: "imports of files that unpack to many MB",
  start({ abuser: { owner, siteId } }) {
    const bytes = largeSheet();
    return workers(16, async () => {
      const answer = await answerFrom(owner, sheetImport, {
        resource: "lansection",
        inside: { nCpeID: siteId },
        mode: "add",
        zone: "UTC",
        file: { name: "rows.xlsx", bytes },
        skipBad: false,
        check: true,
        plan: null,
        oldPsw: null,
      });
      return codeOf(answer);
    });
  },
};

/** Each device of the tenant reports two keys and two addresses in turn, about 35 times a second. */
const deviceChanges: Flood = {
  name: "devices that report other keys and addresses again and again",
  start({ abuser: { devices } }) {
    const lines = new Map<FakeEdge, Line>();
    const keys = devices.map(({ serialNumber, tunnelKey }) => [
      tunnelKey,
      new FakeEdge("", serialNumber).tunnelKey,
    ]);
    const running = workers(
      devices.length,
      async (at) => {
        const which = at % devices.length;
        const edge = devices[which] as FakeEdge;
        let line = lines.get(edge);
        if (line?.socket.readyState !== line?.socket.OPEN || !line) {
          line = await edge.connect();
          lines.set(edge, line);
        }
        const turn = Math.floor(at / devices.length) % 2;
        const publicKey = keys[which]?.[turn] ?? "";
        const address = `198.51.100.${200 + turn}/24`;
        line.send(
          edge.report({
            tunnelKeys: [{ id: "k1", publicKey }],
            lines: [{ interfaceName: "wan4", addressing: "static", address, up: true }],
          }),
        );
        return "reported";
      },
      28,
    );
    return {
      ...running,
      async end() {
        await running.end();
        for (const line of lines.values()) line.socket.terminate();
      },
    };
  },
};

export const floods: readonly Flood[] = [
  silent,
  speechless,
  wrongLogins,
  tickets,
  imports,
  deviceChanges,
];

/** What the same measurements are without any flood. */
export const quiet: Flood = {
  name: "nothing",
  start: () => ({ offered: () => 0, outcomes: () => new Map(), end: async () => undefined }),
};
