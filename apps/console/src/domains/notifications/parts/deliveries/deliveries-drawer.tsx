import type { messageReceiveDeliveries } from "@weft/contract/domains/notifications/message-receive.ts";
import type { webhookDeliveries } from "@weft/contract/domains/notifications/webhook.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { ReactNode } from "react";
import { useTexts } from "#client/texts.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import { type Column, stateColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { ShownSecret } from "#ui/shown-secret.tsx";
import { stampText } from "#ui/time-text.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import { deliveryMessages } from "./messages.ts";

/** Calls that list deliveries: of a recipient, and of a webhook. */
type DeliveryCalls = typeof messageReceiveDeliveries | typeof webhookDeliveries;
type Delivery = OutputOf<DeliveryCalls>[number];

type Attempt = Delivery["attempts"][number];

/** Every attempt with what was answered, and what was sent. */
function DeliveryDetails({ delivery }: { readonly delivery: Delivery }) {
  const t = useTexts(deliveryMessages);
  const resultOf = ({ endTime, status, answer }: Attempt): string =>
    endTime === null
      ? t("delivery.unknown")
      : `${status ?? t("delivery.noAnswer")} · ${answer === "" ? "—" : answer}`;
  return (
    <>
      <KeyValue
        items={[
          { label: t.field("channel"), value: t.code("channel", delivery.channel) },
          { label: t.field("url"), value: delivery.address },
          { label: t("delivery.key"), value: delivery.key },
          { label: t("delivery.count"), value: delivery.count },
          ...delivery.attempts.map((attempt) => ({
            label: stampText(attempt.at),
            value: resultOf(attempt),
          })),
        ]}
      />
      {delivery.body !== "" && <ShownSecret label={t("delivery.body")} text={delivery.body} />}
    </>
  );
}

const useDeliveryTexts = () => useTexts(deliveryMessages);
type DeliveryTexts = ReturnType<typeof useDeliveryTexts>;

/** Attempts follow each other within seconds, and a user who tests waits for the answer. */
const everyMs = 2_000;

const glyphs: Readonly<Record<Delivery["state"], Glyph>> = {
  waiting: "run",
  sent: "ok",
  failed: "bad",
};

/** The event, or for whom and by what. */
function aboutText(t: DeliveryTexts, { event, purpose, channel, subject }: Delivery): string {
  if (event !== "") return event;
  const by = `${t.code("deliveryPurpose", purpose)} · ${t.code("channel", channel)}`;
  return subject === "" ? by : `${by} · ${subject}`;
}

/** What the receiver answered last, or why it was not reached. */
function answerText(t: DeliveryTexts, { state, error, attempts, nextTime }: Delivery): string {
  const [last] = attempts;
  const answer = state === "sent" ? [last?.status, last?.answer].filter(Boolean).join(" ") : error;
  const next = nextTime && attempts.length > 0;
  return [answer, next ? t("delivery.next", { time: stampText(nextTime) }) : ""]
    .filter((part) => part !== "")
    .join(" · ");
}

const columnsOf = (t: DeliveryTexts): Column<Delivery>[] => [
  stateColumn(
    "state",
    t("delivery.state"),
    ({ state }: Delivery) => ({ glyph: glyphs[state], label: t.code("deliveryState", state) }),
    { width: 112 },
  ),
  textColumn("event", t("delivery.what"), (row: Delivery) => aboutText(t, row), { width: 208 }),
  textColumn("answer", t("delivery.answer"), (row: Delivery) => answerText(t, row), { width: 272 }),
  timeColumn("createTime", t.field("createTime"), (row: Delivery) => row.createTime, {
    width: 176,
  }),
];

interface Props {
  /** Of the recipient or webhook. */
  readonly id: number;
  readonly name: string;
  readonly endpoint: DeliveryCalls;
  /** Sends one that has ended again; absent: the user may not. */
  readonly onResend: ((deliveryId: number) => void) | null;
  /** Buttons that send test messages. */
  readonly tests: ReactNode;
  readonly onClose: () => void;
}

/** What became of each message to a recipient or webhook, with each attempt and answer. */
export function DeliveriesDrawer({ id, name, endpoint, onResend, tests, onClose }: Props) {
  const t = useDeliveryTexts();
  const isNarrow = useNarrow();
  // Both calls are asked and answer alike.
  const list = useList(endpoint as typeof messageReceiveDeliveries, {
    fixed: { id },
    every: everyMs,
    inUrl: false,
  });
  return (
    <Drawer
      open
      size={isNarrow ? "100%" : 880}
      title={t("delivery.title", { name })}
      extra={tests}
      onClose={onClose}
    >
      <ResourceTable
        list={list}
        rowKey="id"
        columns={columnsOf(t)}
        empty={<EmptyState kind="first" text={t("delivery.empty")} />}
        expanded={(row: Delivery) => <DeliveryDetails delivery={row} />}
        actions={(row: Delivery) =>
          onResend
            ? [
                {
                  key: "resend",
                  label: t("delivery.resend"),
                  disabledReason: row.state === "waiting" ? t("delivery.stillWaits") : null,
                  run: () => onResend(row.id),
                },
              ]
            : []
        }
      />
    </Drawer>
  );
}
