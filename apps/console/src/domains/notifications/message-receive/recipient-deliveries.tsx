import { channelFields, channels } from "@weft/contract/domains/notifications/channels.ts";
import {
  type messageReceive,
  messageReceiveDeliveries,
  messageReceiveResend,
  messageReceiveTest,
} from "@weft/contract/domains/notifications/message-receive.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useMay } from "#client/session.tsx";
import { DeliveriesDrawer } from "#domains/notifications/parts/deliveries/deliveries-drawer.tsx";
import {
  TestButtons,
  useTestTexts,
} from "#domains/notifications/parts/deliveries/test-buttons.tsx";
import { useAction } from "#feedback/use-action.ts";

interface Props {
  readonly recipient: RowOf<typeof messageReceive>;
  readonly onClose: () => void;
}

/** What a recipient was sent, with a test for every channel that has an address. */
export function RecipientDeliveries({ recipient, onClose }: Props) {
  const t = useTestTexts();
  const may = useMay();
  const test = useAction(messageReceiveTest, { done: t("delivery.testSent") });
  const resend = useAction(messageReceiveResend, { done: t("delivery.resent") });
  const { id, name } = recipient;
  const tests = channels
    .filter((channel) => recipient[channelFields[channel].address] !== null)
    .filter((channel) => may(channelFields[channel].may))
    .map((channel) => ({
      key: channel,
      label: t("delivery.testBy", { channel: t.code("channel", channel) }),
      run: () => void test.act({ id, channel }),
    }));
  return (
    <DeliveriesDrawer
      id={id}
      name={name}
      endpoint={messageReceiveDeliveries}
      tests={<TestButtons tests={tests} />}
      onResend={(deliveryId) => void resend.act({ deliveryId })}
      onClose={onClose}
    />
  );
}
