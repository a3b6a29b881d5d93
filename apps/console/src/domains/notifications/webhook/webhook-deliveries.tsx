import {
  type webhook,
  webhookDeliveries,
  webhookReplay,
  webhookTest,
} from "@weft/contract/domains/notifications/webhook.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useMay } from "#client/session.tsx";
import { DeliveriesDrawer } from "#domains/notifications/parts/deliveries/deliveries-drawer.tsx";
import {
  TestButtons,
  useTestTexts,
} from "#domains/notifications/parts/deliveries/test-buttons.tsx";
import { useAction } from "#feedback/use-action.ts";

interface Props {
  readonly row: RowOf<typeof webhook>;
  readonly onClose: () => void;
}

/** What a webhook was sent, with replays and a test. */
export function WebhookDeliveries({ row, onClose }: Props) {
  const t = useTestTexts();
  const may = useMay();
  const test = useAction(webhookTest, { done: t("delivery.testSent") });
  const replay = useAction(webhookReplay, { done: t("delivery.resent") });
  const isEditor = may(webhookTest.may);
  const button = {
    key: "test",
    label: t("delivery.test"),
    run: () => void test.act({ id: row.id }),
  };
  return (
    <DeliveriesDrawer
      id={row.id}
      name={row.name}
      endpoint={webhookDeliveries}
      tests={<TestButtons tests={isEditor ? [button] : []} />}
      onResend={isEditor ? (deliveryId) => void replay.act({ deliveryId }) : null}
      onClose={onClose}
    />
  );
}
