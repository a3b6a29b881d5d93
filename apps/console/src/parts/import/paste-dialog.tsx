import { sheetImport } from "@weft/contract/domains/access/sheet.ts";
import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import type { Endpoint, InputOf } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { PolicyFamily } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { checkWire, type RuleIssue } from "@weft/contract/kernel/rule.ts";
import { escapeFormula, maxImported } from "@weft/contract/kernel/sheet.ts";
import { parseAddress, parsePrefix } from "@weft/contract/rules/address.ts";
import { isMac } from "@weft/contract/rules/text.ts";
import TextArea from "antd/es/input/TextArea";
import Select from "antd/es/select";
import { useId, useMemo, useState } from "react";
import type { z } from "zod";
import { type CallError, call } from "#client/call.ts";
import { useSession } from "#client/session.tsx";
import { type Translate, useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { Modal } from "#ui/overlay/modal.tsx";
import styles from "./import.module.css";
import { Cells } from "./import-report.tsx";
import { type PasteResource, pasteFields } from "./paste-fields.ts";
import { entryName, type PastedLines, readLines } from "./pasted-lines.ts";

/** Texts of adding many entries as pasted lines. */
const pasteMessages = defineMessages({
  "paste.title": ["粘贴多行：{what}", "Paste lines: {what}"],
  "paste.enterprise": ["所属企业", "Enterprise"],
  "paste.group": ["加入到组", "Add to group"],
  "paste.text": ["每行一个值", "One value a line"],
  "paste.hint": [
    "# 之后为注释，保存为备注；全角字符按半角处理；条目名称自动生成，已有的条目保持不变。",
    "Text behind # is a comment and becomes the remark; full-width characters count as ASCII. Entries are named automatically, and those that exist stay as they are.",
  ],
  "paste.counts": [
    "{lines} 行：可新增 {good} 条，重复 {double} 条，有误 {wrong} 条",
    "{lines|line|lines}: {good} to add, {double} double, {wrong} wrong",
  ],
  "paste.tooMany": ["一次最多 {max} 条", "At most {max} at a time"],
  "paste.run": ["新增 {count} 条", "Add {count|entry|entries}"],
  "paste.done": ["已新增 {new} 条，{old} 条已存在", "{new|entry|entries} added, {old} existed"],
  "paste.wrong": ["有误的行", "Wrong lines"],
  "paste.double": ["重复的行", "Double lines"],
  "paste.line": ["行", "Line"],
  "paste.value": ["值", "Value"],
  "paste.rule": ["原因", "Reason"],
  "paste.first": ["首次出现的行", "First on line"],
  "paste.example.blacklist": [
    "203.0.113.0/24  # 扫描源\nads.example.com",
    "203.0.113.0/24  # scanner\nads.example.com",
  ],
  "paste.example.routerIpgroupdefine": [
    "10.1.0.0/16  # 总部\n10.2.0.1-10.2.0.9",
    "10.1.0.0/16  # head office\n10.2.0.1-10.2.0.9",
  ],
  "paste.example.routerDomains": ["example.com\n*.example.net", "example.com\n*.example.net"],
  "paste.example.routerUrl": [
    "https://example.com/news\nexample.net",
    "https://example.com/news\nexample.net",
  ],
});

/* Lists whose rows are one value each: many of them can be pasted as lines. */

/** The kind of a blacklist entry, by how it is written. */
export function typeOf(value: string): "ip" | "mac" | "url" | "domain" {
  if (parseAddress(value) !== null || parsePrefix(value) !== null) return "ip";
  // What is written like an address is meant as one.
  if (/^[\d./]+$/.test(value)) return "ip";
  if (isMac(value)) return "mac";
  return /^https?:\/\//i.test(value) ? "url" : "domain";
}

const schemaOf = (name: PasteResource): z.ZodType =>
  name === "blacklist" ? blacklist.draft : familyOf(name).manage.resource.draft;

const familyOf = (name: string): PolicyFamily => {
  const family = policyFamilies.find((policyFamily) => policyFamily.name === name);
  if (!family) throw new Error(`${name} is no family of policy objects`);
  return family as unknown as PolicyFamily;
};

/** The group that entries of a list are in; null: they are in none. */
function groupOf(name: PasteResource, isManage: boolean): AnyResource | null {
  if (name === "blacklist") return null;
  const { field } = pasteFields[name];
  const parent = Object.values(familyOf(name).spec.references ?? {})[0];
  if (parent === undefined) throw new Error(`${name}.${field} has no group`);
  const family = familyOf(parent);
  return (isManage ? family.manage : family.template).resource;
}

/** The contract's rule of a value in a list; null: it obeys it. */
export function checkOf(name: PasteResource): (value: string) => RuleIssue | null {
  const schema = schemaOf(name);
  const { field } = pasteFields[name];
  return (value) => {
    const type = name === "blacklist" ? { type: typeOf(value) } : {};
    const checked = checkWire(schema, { ...pasteFields[name].rest, ...type, [field]: value });
    if (checked.ok) return null;
    return checked.issues.find(({ path }) => path === field) ?? null;
  };
}

type Texts = Translate<keyof typeof pasteMessages>;

interface Props {
  readonly open: boolean;
  readonly resource: AnyResource;
  readonly target: PasteResource;
  /** Whose rows they are, for rows inside of a node or a template; else empty. */
  readonly inside: Readonly<Record<string, unknown>>;
  /** Enterprise that the list is filtered by; null: none. */
  readonly groupid: number | null;
  readonly onClose: () => void;
}

/** The group or enterprise that entries are added to. */
interface Into {
  readonly id: number;
  readonly name: string;
}

/** Rows out of many pasted lines: counted and checked while one types, and added in one step. */
export function PasteDialog(props: Props) {
  const { resource, target, onClose } = props;
  const t = useTexts(pasteMessages);
  const toast = useToast();
  const invalidate = useInvalidate();
  const [text, setText] = useState("");
  const [error, setError] = useState<CallError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const choice = useInto(props);
  const read = useMemo(() => readLines(text, checkOf(target)), [text, target]);
  const count = read.good.length;
  const { into } = choice;
  const isReady = into !== null && count > 0 && count <= maxImported && read.wrong.length === 0;
  const run = async (): Promise<void> => {
    if (into === null) return;
    setBusy(true);
    setError(null);
    try {
      const { counts } = await importLines(props, into, read);
      toast.done(t("paste.done", { new: counts.new, old: counts.kept + counts.unchanged }));
      invalidate(resource.name.replace(/\.manage$/, ""), resource.name);
      setText("");
      onClose();
    } catch (failure) {
      setError(failure as CallError);
    } finally {
      setBusy(false);
    }
  };
  const id = useId();
  const [zh, en] = resource.title;
  return (
    <Modal
      open={props.open}
      width={720}
      title={t("paste.title", { what: t.language === "zh_cn" ? zh : en })}
      okText={t("paste.run", { count })}
      okButtonProps={{ disabled: !isReady }}
      confirmLoading={isBusy}
      cancelText={t("act.cancel")}
      onOk={() => void run()}
      onCancel={onClose}
    >
      <div className={styles.bar}>
        <span>{t(target === "blacklist" ? "paste.enterprise" : "paste.group")}</span>
        <Select
          aria-label={t(target === "blacklist" ? "paste.enterprise" : "paste.group")}
          className="w-choice"
          value={into?.id ?? null}
          options={choice.options.map((option) => ({ value: option.id, label: option.name }))}
          showSearch={{ optionFilterProp: "label" }}
          onChange={(chosen) => choice.set(chosen)}
        />
      </div>
      <label className="w-field" htmlFor={id}>
        <span className="w-field-label">{t("paste.text")}</span>
        <TextArea
          id={id}
          rows={10}
          className="w-mono"
          value={text}
          placeholder={t(`paste.example.${target}`)}
          onChange={(event) => setText(event.target.value)}
          spellCheck={false}
        />
        <span className="w-quiet">{t("paste.hint")}</span>
      </label>
      <div aria-live="polite">
        <p>
          <strong>
            {t("paste.counts", {
              lines: read.lines,
              good: count,
              double: read.double.length,
              wrong: read.wrong.length,
            })}
          </strong>
        </p>
        {count > maxImported && (
          <p className="w-bad">■ {t("paste.tooMany", { max: maxImported })}</p>
        )}
        {error && <p className="w-bad">■ {error.message}</p>}
      </div>
      <div className={styles.rows}>
        <Findings t={t} read={read} />
      </div>
    </Modal>
  );
}

function Findings({ t, read }: { readonly t: Texts; readonly read: PastedLines }) {
  return (
    <>
      <Cells
        title={t("paste.wrong")}
        heads={[t("paste.line"), t("paste.value"), t("paste.rule")]}
        lines={read.wrong.map(({ line, value, issue }) => [String(line), value, t.issue(issue)])}
      />
      <Cells
        title={t("paste.double")}
        heads={[t("paste.line"), t("paste.value"), t("paste.first")]}
        lines={read.double.map(({ line, value, first }) => [String(line), value, String(first)])}
      />
    </>
  );
}

/** Where entries go: a group of the list's owner, or an enterprise. */
function useInto({ target, resource, inside, groupid }: Props) {
  const session = useSession();
  const group = useMemo(
    () => groupOf(target, resource.name.endsWith(".manage")),
    [target, resource],
  );
  const [chosen, set] = useState<number | null>(null);
  const enterprises = useCall(enterpriseCombo, group === null ? {} : null);
  const combo = (group?.ops.combo ?? enterpriseCombo) as Endpoint;
  const groups = useCall(combo, group === null ? null : (inside as InputOf<Endpoint>));
  const options: readonly Into[] =
    group === null
      ? (enterprises.data ?? []).map((row) => ({ id: row.groupid, name: row.name }))
      : ((groups.data ?? []) as readonly Into[]);
  // The only one is meant; of several groups none is chosen unasked.
  const start = group === null ? (groupid ?? session.groupid) : null;
  const single = options.length === 1 ? options[0]?.id : undefined;
  const id = chosen ?? start ?? single ?? null;
  return { options, set, into: options.find((option) => option.id === id) ?? null };
}

const quoted = (cell: string): string => `"${escapeFormula(cell).replaceAll('"', '""')}"`;

/** The lines as a file whose heads are fields of the contract. */
function fileOf(target: PasteResource, into: Into, { good }: PastedLines): string {
  const { field, group } = pasteFields[target];
  if (group === null) {
    const rows = good.map(({ value, comment }) => [typeOf(value), value, comment]);
    return csvOf(["type", "value", "remark"], rows);
  }
  const rest = target === "routerUrl" ? ["allowOnlyHost"] : [];
  const rows = good.map(({ value, comment }) => [
    entryName(into.name, value),
    `#${into.id}`,
    value,
    comment,
    ...rest.map(() => "1"),
  ]);
  return csvOf(["name", group, field, "remark", ...rest], rows);
}

const csvOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ...rows].map((line) => line.map(quoted).join(",")).join("\r\n");

/** Adds the entries, all of them or none; those that exist stay as they are. @throws CallError */
async function importLines({ resource, target, inside }: Props, into: Into, read: PastedLines) {
  const bytes = new TextEncoder().encode(fileOf(target, into, read));
  const whose = target === "blacklist" ? { groupid: into.id } : inside;
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
  const { data } = await call(sheetImport, {
    resource: resource.name,
    inside: whose as Record<string, number>,
    mode: "add",
    zone,
    file: { name: "lines.csv", bytes },
    skipBad: false,
    check: false,
    plan: null,
  } as InputOf<typeof sheetImport>);
  return data;
}
