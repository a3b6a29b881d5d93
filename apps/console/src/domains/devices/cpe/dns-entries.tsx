import { dnsEntry, dnsEntryImport } from "@weft/contract/domains/devices/dns-entry.ts";
import { dnsEntryTypes } from "@weft/contract/domains/devices/settings-enums.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import Button from "antd/es/button";
import { useRef } from "react";
import { useOpened } from "#client/opened.ts";
import { codeOptions } from "#client/texts.ts";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { SectionFrame } from "#domains/devices/parts/node/node-settings.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useAction } from "#feedback/use-action.ts";
import { useRemove } from "#feedback/use-remove.ts";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { type Column, copyColumn, stateColumn, textColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import type { List } from "#kernel/list/use-list.ts";
import { ListFiles } from "#parts/import/list-files.tsx";
import { type SiteTexts, useSiteTexts } from "./site-texts.ts";

export type DnsRow = RowOf<typeof dnsEntry>;
const touches = ["nodeState", "task"];

const newEntry = (nCpeID: number): DraftOf<typeof dnsEntry> => ({
  nCpeID,
  nEnable: true,
  nType: 0,
  domain: "",
  address: "",
  remark: "",
});

const columnsOf = (t: SiteTexts): Column<DnsRow>[] => [
  stateColumn(
    "nEnable",
    t.field("nEnable"),
    (row: DnsRow) => ({
      glyph: row.nEnable ? "ok" : "disabled",
      label: t.code("enable", row.nEnable),
    }),
    { width: 104 },
  ),
  {
    key: "domain",
    title: t.field("domain"),
    pinned: "left",
    part: "name",
    sort: "domain",
    width: 224,
    cell: (row) => <span className="w-mono">{row.domain}</span>,
  },
  copyColumn("address", t.field("address"), (row: DnsRow) => row.address, { width: 176 }),
  textColumn("nType", t.field("nType"), (row: DnsRow) => t.code("dnsEntryType", row.nType), {
    width: 160,
  }),
  textColumn("remark", t.field("remark"), (row: DnsRow) => row.remark || null),
];

/** Adds the lines of a selected hosts file; what cannot be read is reported with its line. */
function ImportButton({ node }: { readonly node: NodeCard }) {
  const t = useSiteTexts();
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const { act, isActing } = useAction(dnsEntryImport, { touches, done: false });
  const send = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const answer = await act({ nCpeID: node.id, file: { name: file.name, bytes } });
    if (answer) toast.done(t("dns.imported", answer.data));
  };
  return (
    <>
      <Button loading={isActing} onClick={() => input.current?.click()}>
        {t("dns.import")}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".txt,.csv,.hosts,text/plain,text/csv"
        onChange={(event) => {
          void send(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
    </>
  );
}

interface Props {
  readonly node: NodeCard;
  readonly list: List<DnsRow>;
}

/** What the site's resolver says of domains, with its drawer and the import of a file. */
export function DnsEntries({ node, list }: Props) {
  const t = useSiteTexts();
  const { opened, open, close } = useOpened();
  const remove = useRemove(dnsEntry, {
    title: ([row]) => t("dns.removeTitle", { node: node.name, domain: row.domain }),
    body: () => t("dns.removeBody"),
    touches,
    done: t("node.saved"),
  });
  const row =
    opened?.what === "dns" ? (list.rows.find(({ nID }) => nID === opened.id) ?? null) : null;
  return (
    <SectionFrame
      title={t("site.dns")}
      about={dnsEntry.name}
      tools={
        <>
          <ListFiles list={list} />
          <ImportButton node={node} />
        </>
      }
      add={{ label: t("dns.add"), may: "configDns", run: () => open("addDns") }}
    >
      <ResourceTable
        list={list}
        rowKey="nID"
        columns={columnsOf(t)}
        empty={<EmptyState kind="good" text={t("dns.empty")} />}
        actions={(entry: DnsRow) => [
          {
            key: "edit",
            label: t("node.edit"),
            may: "configDns",
            run: () => open("dns", entry.nID),
          },
          {
            key: "remove",
            label: t("node.remove"),
            may: "configDns",
            danger: true,
            run: () => void remove([entry]),
          },
        ]}
      />
      <ResourceForm
        resource={dnsEntry}
        open={opened?.what === "addDns" || row !== null}
        row={row}
        title={row ? t("dns.editOf", { domain: row.domain }) : t("dns.addTo", { name: node.name })}
        initial={newEntry(node.id)}
        saved={t("node.saved")}
        touches={touches}
        onClose={close}
      >
        <Field name="nType" kind="radio" options={codeOptions(t, "dnsEntryType", dnsEntryTypes)} />
        <FieldRow>
          <Field
            name="domain"
            kind="mono"
            placeholder="erp.example.com"
            help={t("dns.domainHelp")}
          />
          <Field name="address" kind="mono" placeholder="10.1.1.20" help={t("dns.addressHelp")} />
        </FieldRow>
        <Field name="nEnable" label={t.code("enable", true)} />
        <Field name="remark" />
      </ResourceForm>
    </SectionFrame>
  );
}
