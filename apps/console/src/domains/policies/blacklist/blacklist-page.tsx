import { dnsCapabilities } from "@weft/contract/device/v1/dns.ts";
import { blacklistTypes } from "@weft/contract/domains/devices/settings-enums.ts";
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import { blacklistSummary } from "@weft/contract/domains/policies/policy-finding.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { codeOptions, useTexts } from "#client/texts.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useHitsColumns } from "#domains/policies/parts/hits/hits-column.tsx";
import { useRuleEffectColumn } from "#domains/policies/parts/policy/policy-effect.ts";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import { nameColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { CpeChoice } from "#parts/fields/cpe-choice.tsx";

const blacklistMessages = defineMessages({
  "black.title": ["黑名单", "Blacklist"],
  "black.add": ["新增条目", "Add entry"],
  "black.empty": ["没有黑名单条目", "The blacklist is empty"],
  "black.search": ["内容", "Value"],
  "black.removeBody": [
    "所选内容立即重新放行。",
    "Traffic that it blocks passes again immediately.",
  ],
  "black.allCpes": ["全部 CPE", "All CPEs"],
  "black.all": ["企业的全部 CPE", "All CPEs of the enterprise"],
  "black.valueHelp": [
    "IP、MAC 由设备拦截；域名由设备的 DNS 服务拦截，不限制使用其他 DNS 服务器的主机；网址暂只保存",
    "Devices block IP and MAC addresses, and domains by their DNS server, which hosts with another one do not ask; URLs are saved only",
  ],
});

type Row = RowOf<typeof blacklist>;

/** What devices of this version enforce: the form says of any other entry, before it is saved, that none does. */
const enforced = [dnsCapabilities.names];

function BlacklistFields() {
  const t = useTexts(blacklistMessages);
  const types = codeOptions(t, "blacklistType", blacklistTypes);
  return (
    <>
      <Field name="groupid" kind={EnterpriseControl} />
      <Field name="type" kind="radio" options={types} />
      <Field name="value" kind="mono" help={t("black.valueHelp")} />
      <Field name="cpeIds">
        {(control) => (
          <CpeChoice
            control={control as FieldControl<readonly number[]>}
            placeholder={t("black.all")}
          />
        )}
      </Field>
      <Field name="enable" label={t.code("enable", true)} />
      <Field name="remark" />
    </>
  );
}

/** What no CPE of the choice lets through (section 2.4). */
export default resourcePage(blacklist, function useBlacklist({ list }) {
  const t = useTexts(blacklistMessages);
  const effect = useRuleEffectColumn({
    summary: blacklistSummary,
    rows: list.rows,
    idOf: ({ id }: Row) => id,
    isOff: ({ enable }) => !enable,
  });
  const hits = useHitsColumns<Row>({
    family: blacklist.name,
    rows: list.rows,
    idOf: ({ id }) => id,
    nameOf: ({ value }) => value,
  });
  return {
    title: t("black.title"),
    addLabel: t("black.add"),
    empty: t("black.empty"),
    nameOf: (row) => row.value,
    columns: [
      nameColumn("value", t.field("value"), (row: Row) => ({ text: row.value }), { sort: true }),
      textColumn("type", t.field("type"), (row: Row) => t.code("blacklistType", row.type), {
        width: 96,
      }),
      textColumn("cpeIds", t.field("cpeIds"), (row: Row) =>
        row.cpeIds.length === 0 ? t("black.allCpes") : String(row.cpeIds.length),
      ),
      effect,
      ...hits,
      "remark",
      "createTime",
    ],
    filters: [
      { key: "value", kind: "text", label: t("black.search") },
      {
        key: "type",
        kind: "select",
        label: t.field("type"),
        options: codeOptions(t, "blacklistType", blacklistTypes),
      },
    ],
    form: {
      initial: { type: "ip" as const, value: "", cpeIds: [], enable: true, remark: "" },
      body: () => (
        <CapabilitiesProvider capabilities={enforced}>
          <BlacklistFields />
        </CapabilitiesProvider>
      ),
    },
    removal: { body: () => t("black.removeBody") },
    touches: ["nodeState", "task"],
  };
});
