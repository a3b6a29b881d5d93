/** The script of the shared worker: it has nothing but the stream. */
import { shareOverPorts } from "./live-worker-stream.ts";

const connect = shareOverPorts();

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) connect(port);
});
