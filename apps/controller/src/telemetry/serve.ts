import { createServer } from "node:http";
import type { Logger } from "pino";
import type { Telemetry } from "./open.ts";

const metricsPath = "/metrics";

/**
 * Serves the metrics on a listener of their own: they are for operators of the installation, and name what no caller
 * of the API may know.
 * @returns ends it
 */
export async function serveTelemetry(
  telemetry: Telemetry,
  { host, port }: { readonly host: string; readonly port: number },
  logger: Pick<Logger, "info" | "error">,
): Promise<() => Promise<void>> {
  const server = createServer((request, reply) => {
    const path = request.url?.split("?", 1)[0];
    if (path !== metricsPath || request.method !== "GET") {
      reply.writeHead(path === metricsPath ? 405 : 404, { allow: "GET" }).end();
      return;
    }
    telemetry.scrape().then(
      ({ type, text }) => reply.writeHead(200, { "content-type": type }).end(text),
      (error: unknown) => {
        logger.error({ err: error }, "metrics could not be gathered");
        reply.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, resolve);
  });
  // A process without a descriptor left for a scraper goes on.
  server.on("error", (error) => logger.error({ err: error }, "metrics listener"));
  logger.info({ host, port, path: metricsPath }, "metrics listener open");
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    telemetry.close();
  };
}
