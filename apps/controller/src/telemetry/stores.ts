import { channels } from "@weft/contract/domains/notifications/channels.ts";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Intake } from "#metrics-store/intake.ts";
import { blockWritten, messageAttempted, messageResults } from "./events.ts";

/** Metrics of devices on their way into the metrics store. @returns ends it */
export function measureIntake(registry: Registry, intake: Intake): () => void {
  const registers = [registry];
  const rows = new Counter({
    name: "weft_metrics_store_rows_total",
    help: "Rows of metrics of devices that ClickHouse acknowledged.",
    registers,
  });
  const failures = new Counter({
    name: "weft_metrics_store_write_failures_total",
    help: "Blocks of rows that could not be written to ClickHouse; devices send their messages again.",
    registers,
  });
  const delay = new Histogram({
    name: "weft_metrics_store_write_delay_seconds",
    help: "Time from the first message of a block to its acknowledgement by ClickHouse.",
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  new Counter({
    name: "weft_metrics_store_refused_messages_total",
    help: "Messages of devices that found no room or could not be stored.",
    registers,
    collect() {
      this.reset();
      this.inc(intake.refused);
    },
  });
  new Gauge({
    name: "weft_metrics_store_waiting_rows",
    help: "Rows of metrics that wait to be written to ClickHouse.",
    registers,
    collect() {
      this.set(intake.waitingRows);
    },
  });
  new Gauge({
    name: "weft_metrics_store_oldest_waiting_seconds",
    help: "How long the oldest of them waits; 0: none does.",
    registers,
    collect() {
      this.set(intake.oldestSeconds);
    },
  });
  return blockWritten.listen((block) => {
    if (block.kept) rows.inc(block.rows);
    else failures.inc();
    delay.observe(block.seconds);
  });
}

/** Messages that this process sends. @returns ends it */
export function measureMessages(registry: Registry): () => void {
  const attempts = new Counter({
    name: "weft_messages_total",
    help: "Attempts to send a message of the outbox, by channel and result: sent, retried (it is tried again), failed or expired.",
    labelNames: ["channel", "result"],
    registers: [registry],
  });
  for (const channel of channels) {
    for (const result of messageResults) attempts.inc({ channel, result }, 0);
  }
  return messageAttempted.listen((attempt) => attempts.inc({ ...attempt }));
}
