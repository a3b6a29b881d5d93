import { commandGraceSeconds, commandSeconds } from "@weft/contract/device/v1/commands.ts";
import { initPing } from "@weft/contract/domains/devices/dial-task.ts";
import { dialTypes } from "@weft/contract/domains/devices/settings-enums.ts";
import { call } from "#client/call.ts";
import { codeOptions } from "#client/texts.ts";
import { Field } from "#kernel/form/field.tsx";
import { useCommandTexts } from "./command-texts.ts";
import { DeviceRequestDialog } from "./device-request-dialog.tsx";
import type { NodeCard } from "./node-card.ts";

interface Props {
  readonly node: NodeCard;
  readonly onClose: () => void;
}

/** One test from a device, now, with what its tool printed. */
export function DiagnoseDialog({ node, onClose }: Props) {
  const t = useCommandTexts();
  const types = codeOptions(t, "dialType", dialTypes);
  return (
    <DeviceRequestDialog
      title={t("command.diagnoseOf", { name: node.name })}
      schema={initPing.input}
      initial={{ cpeId: node.id, host: "", count: 4, type: "ping" }}
      action={t("command.run")}
      waiting={({ type }) =>
        t("command.running", { seconds: commandSeconds[type] + commandGraceSeconds })
      }
      request={async (question) => {
        const { ok, delay, loss, lines } = (await call(initPing, question)).data;
        const facts = [
          delay !== null && ` · ${t("command.delay")} ${delay}`,
          loss !== null && ` · ${t("command.loss")} ${loss}`,
        ];
        return {
          ok,
          label: t(ok ? "command.reached" : "command.unreached"),
          facts: facts.filter(Boolean).join(""),
          text: lines.join("\n"),
        };
      }}
      onClose={onClose}
    >
      <Field name="type" label={t.field("type")} kind="radio" options={types} />
      <Field name="host" kind="mono" help={t("dial.targetHelp")} />
    </DeviceRequestDialog>
  );
}
