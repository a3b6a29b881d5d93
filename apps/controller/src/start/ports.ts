import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type HeldPort, holdPort } from "./held-port.ts";
import type { Settings } from "./settings.ts";

export interface Ports {
  /** Where console and API will answer. */
  readonly url: string;
  readonly http: HeldPort;
  /** Absent without the role gateway. */
  readonly edge: HeldPort | undefined;
  /** Absent: no metrics are served. */
  readonly metrics: HeldPort | undefined;
  release(): Promise<void>;
}

/**
 * Takes the ports of this process before anything else is made.
 * @param folder where a free port that was taken for devices is kept: they know no other
 * @throws Error with a message for the operator
 */
export async function holdPorts(settings: Settings, folder: string): Promise<Ports> {
  const { host } = settings;
  const http = await holdPort({ host, port: settings.port }, "WEFT_PORT");
  try {
    const edge = settings.roles.has("gateway") ? await holdEdgePort(settings, folder) : undefined;
    const metrics = await holdMetricsPort(settings).catch(async (error: unknown) => {
      await edge?.release();
      throw error;
    });
    const name = host.includes(":") ? `[${host}]` : host;
    return {
      url: `http://${name}:${http.port}`,
      http,
      edge,
      metrics,
      async release() {
        await Promise.all([http.release(), edge?.release(), metrics?.release()]);
      },
    };
  } catch (error) {
    await http.release();
    throw error;
  }
}

const holdMetricsPort = async ({ metricsListener }: Settings): Promise<HeldPort | undefined> =>
  metricsListener
    ? holdPort(metricsListener, "WEFT_METRICS_LISTEN", "WEFT_METRICS_LISTEN (host:port)")
    : undefined;

async function holdEdgePort({ edgePort }: Settings, folder: string): Promise<HeldPort> {
  const hold = (port: number): Promise<HeldPort> =>
    holdPort({ port }, "WEFT_EDGE_PORT", undefined, "tls");
  if (edgePort !== 0) return hold(edgePort);
  const file = join(folder, "edge-port");
  const kept = Number(await readFile(file, "utf8").catch(() => "0"));
  const port = Number.isInteger(kept) && kept > 0 && kept < 65_536 ? kept : 0;
  const held = await hold(port).catch((error: Error) => {
    if (port === 0) throw error;
    throw new Error(
      `${error.message} It was taken as a free one by the first start (${file}), and devices that ` +
        "were enrolled since call it there.",
      { cause: error },
    );
  });
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${held.port}\n`);
  return held;
}
