import { useTexts } from "#client/texts.ts";
import { KeyValue } from "#ui/key-value.tsx";
import { ShownSecret } from "#ui/shown-secret.tsx";
import { stampText } from "#ui/time-text.tsx";
import type { Delivery } from "./delivery.ts";
import { deliveryMessages } from "./messages.ts";

type Attempt = Delivery["attempts"][number];

/** Every attempt with what was answered, and what was sent. */
export function DeliveryDetails({ delivery }: { readonly delivery: Delivery }) {
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
