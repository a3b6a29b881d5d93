import {
  commandGraceSeconds,
  commandSeconds,
  type RelayPath,
} from "@weft/contract/device/v1/commands.ts";
import { commonHttp } from "@weft/contract/domains/devices/relay.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { call, tokenStore } from "#client/call.ts";
import { Field } from "#kernel/form/field.tsx";
import type { DraftSchema } from "#kernel/form/use-draft.ts";
import { useCommandTexts } from "./command-texts.ts";
import { DeviceRequestDialog } from "./device-request-dialog.tsx";
import type { NodeCard } from "./node-card.ts";

interface Props {
  readonly node: NodeCard;
  readonly onClose: () => void;
}

const labels = {
  "/status": "localApi.status",
  "/interfaces": "localApi.interfaces",
  "/routes": "localApi.routes",
  "/leases": "localApi.leases",
} as const satisfies Readonly<Record<Exclude<RelayPath, "/import">, string>>;

/** Paths that may be read; `/import` uploads a file and reads nothing. */
const readable = Object.keys(labels) as (keyof typeof labels)[];

/** Status from the local API of a device, relayed by the controller unchanged. */
export function LocalApiDialog({ node, onClose }: Props) {
  const t = useCommandTexts();
  return (
    <DeviceRequestDialog
      title={t("localApi.title", { name: node.name })}
      // The type of the call allows further fields; this form sends none.
      schema={commonHttp.input as unknown as DraftSchema}
      initial={{ cpeId: node.id, url: "/status", token: tokenStore().read() ?? "" }}
      action={t("localApi.ask")}
      waiting={() => t("localApi.asking", { seconds: commandSeconds.relay + commandGraceSeconds })}
      request={async (question) => {
        const { data } = await call(commonHttp, question as InputOf<typeof commonHttp>);
        return {
          ok: data.status < 400,
          label: t("localApi.answered", { status: data.status }),
          text: JSON.stringify(data.body, null, 2),
        };
      }}
      onClose={onClose}
    >
      <Field
        name="url"
        kind="radio"
        label={t("localApi.what")}
        options={readable.map((path) => ({ value: path, label: t(labels[path]) }))}
      />
    </DeviceRequestDialog>
  );
}
