import { routerTemplate } from "@weft/contract/domains/templates/router-template.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import Button from "antd/es/button";
import { useState } from "react";
import type { z } from "zod";
import { call } from "#client/call.ts";
import { type Opened, useOpened } from "#client/opened.ts";
import { May, useMay } from "#client/session.tsx";
import { startConfig } from "#client/start-config.ts";
import { useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import { useIssueReview } from "#domains/templates/parts/template/issue-review.tsx";
import { Versions } from "#domains/templates/parts/template/versions.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { type Column, nameColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { type List, useResourceList } from "#kernel/list/use-list.ts";
import { useSelection } from "#kernel/list/use-selection.ts";
import { FormDialog } from "#parts/form-dialog.tsx";
import { FileButton } from "#parts/import/file-button.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { PageHead } from "#ui/page-head.tsx";
import { CpeTransfer } from "./cpe-transfer.tsx";
import { BatchMenu, useTemplateActions } from "./template-actions.tsx";
import { TemplateLog } from "./template-log.tsx";
import { type TemplateRow, type TemplateTexts, useTemplateTexts } from "./template-texts.ts";
import { isMarked, VersionState } from "./version-state.tsx";
import { VisitButton, VisitDialog } from "./visit-dialog.tsx";

/** Texts of sending a protocol file to the service elsewhere. */
const protocolImportMessages = defineMessages({
  "protocolImport.open": ["外部协议导入", "External protocol import"],
  "protocolImport.choose": ["选择文件并发送", "Choose a file and send it"],
  "protocolImport.help": [
    "文件由浏览器直接发送到第三方服务 {host}，不附带登录信息，也不经过控制器。最大 {most} MB。",
    "Your browser sends the file straight to the third-party service {host}, without your session and not through the controller. At most {most} MB.",
  ],
  "protocolImport.done": ["对方服务已接收 {name}", "The service took {name}"],
  "protocolImport.empty": ["文件为空，没有发送", "the file is empty; nothing was sent"],
  "protocolImport.tooLarge": [
    "文件超过 {most} MB，没有发送",
    "the file is larger than {most} MB; nothing was sent",
  ],
  "protocolImport.timeout": [
    "对方服务 {seconds} 秒内没有答复，文件处理结果未知",
    "no answer within {seconds} s; whether the file was taken is not known",
  ],
  "protocolImport.unreachable": [
    "对方服务无法访问，或不允许本站点调用（CORS）。请联系管理员核对地址",
    "the service cannot be reached, or it does not allow this site (CORS). Have an administrator check its address",
  ],
  "protocolImport.unreadable": [
    "对方服务的答复无法识别，文件处理结果未知",
    "the answer of the service makes no sense; whether the file was taken is not known",
  ],
  "protocolImport.status": ["对方服务答复 HTTP {status}", "the service answered HTTP {status}"],
  "protocolImport.refused": ["对方服务拒绝：{reason}", "the service refused: {reason}"],
});

type Shown = Pick<List<TemplateRow>, "rows" | "page" | "limit">;

const finishedText = (t: TemplateTexts, row: TemplateRow): string =>
  t("tem.finishedOf", { finished: row.cpeFinishNum, count: row.cpeNum });

/** Columns of the template list (section 2.7), the index counted over all pages. */
const templateColumns = (
  t: TemplateTexts,
  { rows, page, limit }: Shown,
  openLog: (templateId: number) => void,
): Column<TemplateRow>[] => [
  {
    key: "index",
    title: t("tem.index"),
    width: 64,
    align: "right",
    cell: (row) => (page - 1) * limit + rows.indexOf(row) + 1,
  },
  {
    ...nameColumn(
      "temName",
      t.field("temName"),
      (row: TemplateRow) => ({
        text: row.temName,
        note: isMarked(row) ? <VersionState row={row} /> : undefined,
      }),
      { sort: true, width: 280 },
    ),
    // Its state is in it.
    narrowest: 248,
  },
  {
    key: "cpeFinishNum",
    title: t("tem.finished"),
    width: 128,
    align: "right",
    cell: (row) => (
      <button
        type="button"
        className="w-link-button"
        aria-label={`${finishedText(t, row)} ${t("tem.openLog", { name: row.temName })}`}
        onClick={() => openLog(row.templateId)}
      >
        {finishedText(t, row)}
      </button>
    ),
  },
  timeColumn("createTime", t.field("createTime"), (row: TemplateRow) => row.createTime, {
    sort: true,
  }),
  textColumn("remark", t.field("remark"), (row: TemplateRow) => row.remark || null, { width: 200 }),
  textColumn(
    "enterpriseName",
    t.field("enterpriseName"),
    (row: TemplateRow) => row.enterpriseName,
    {
      optional: true,
    },
  ),
];

/** Bytes of the largest file that is sent. */
const maxBytes = 10 * 1024 * 1024;
/** Ms that the service has for its answer. */
const patienceMs = 60_000;

/** Why a file did not arrive; `reason` is the service's own text. */
type ImportFault =
  | { readonly why: "empty" | "tooLarge" | "timeout" | "unreachable" | "unreadable" }
  | { readonly why: "status"; readonly status: number }
  | { readonly why: "refused"; readonly reason: string };

/** Characters of a foreign message that are shown. */
const maxTextLength = 200;

/** What the service's answer means: the envelope of specification section 7, code 0 for success. */
async function faultOf(response: Response): Promise<ImportFault | null> {
  const body: unknown = await response.json().catch(() => null);
  const { code, msg } = (typeof body === "object" && body !== null ? body : {}) as {
    code?: unknown;
    msg?: unknown;
  };
  if (typeof code === "number" && code !== 0) {
    return { why: "refused", reason: typeof msg === "string" ? msg.slice(0, maxTextLength) : "" };
  }
  if (!response.ok) return { why: "status", status: response.status };
  return code === 0 ? null : { why: "unreadable" };
}

/**
 * Sends a protocol file to the service of another operator (specification section 7.3). Nothing of
 * the session goes with it: no token, no cookie, no address of the page; a redirect is not followed,
 * because the file would go to an address that is not configured. The service allows this site by CORS; the
 * request is a simple one, which asks for no permission before.
 * @returns null: it took the file.
 */
async function sendProtocolFile(url: string, file: File): Promise<ImportFault | null> {
  if (file.size === 0) return { why: "empty" };
  if (file.size > maxBytes) return { why: "tooLarge" };
  const body = new FormData();
  body.append("file", file, file.name);
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      mode: "cors",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal: AbortSignal.timeout(patienceMs),
    });
    return await faultOf(response);
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    return { why: isLate ? "timeout" : "unreachable" };
  }
}

/** The way to the protocol import; nothing where this installation has no such service. */
function ProtocolImportButton({ onOpen }: { readonly onOpen: () => void }) {
  const t = useTexts(protocolImportMessages);
  if (startConfig().protocolImportUrl === null) return null;
  return (
    <May code="routerTemplateEdit">
      <Button onClick={onOpen}>{t("protocolImport.open")}</Button>
    </May>
  );
}

/** Has a person pick a file for the service elsewhere, and shows its answer. */
function ProtocolImportDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(protocolImportMessages);
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const url = startConfig().protocolImportUrl;
  if (url === null) return null;
  const faultText = (importFault: ImportFault): string => {
    if (importFault.why === "status")
      return t("protocolImport.status", { status: importFault.status });
    if (importFault.why !== "refused") return t(`protocolImport.${importFault.why}`, numbers);
    return t("protocolImport.refused", { reason: importFault.reason || t("missing") });
  };
  const send = async (file: File): Promise<void> => {
    setBusy(true);
    setFault(null);
    const found = await sendProtocolFile(url, file);
    setBusy(false);
    if (found) return setFault(`${file.name}: ${faultText(found)}`);
    toast.done(t("protocolImport.done", { name: file.name }));
    onClose();
  };
  return (
    <Modal
      open
      title={t("protocolImport.open")}
      footer={<Button onClick={onClose}>{t("act.cancel")}</Button>}
      onCancel={onClose}
      destroyOnHidden
    >
      <p>{t("protocolImport.help", { host: new URL(url).host, ...numbers })}</p>
      <FileButton
        label={t("protocolImport.choose")}
        isBusy={isBusy}
        onPick={(file) => void send(file)}
      />
      <div aria-live="polite">{fault && <p className="w-bad">■ {fault}</p>}</div>
    </Modal>
  );
}

const numbers = { most: maxBytes / 1024 / 1024, seconds: patienceMs / 1000 };

type Draft = z.output<typeof routerTemplate.draft>;

interface Props {
  /** null: a new one. */
  readonly row: TemplateRow | null;
  readonly onClose: () => void;
}

/** Name and remark of a template; it stays open with what was typed when the call fails. */
function TemplateForm({ row, onClose }: Props) {
  const t = useTemplateTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const form = useDraft(routerTemplate.draft, {
    templateName: row?.temName ?? "",
    remark: row?.remark ?? "",
  });
  const submit = async (draft: Draft): Promise<void> => {
    const { add, edit } = routerTemplate.ops;
    if (row === null) await call(add, draft);
    else await call(edit, { ...draft, templateId: row.templateId });
    toast.done();
    invalidate(routerTemplate.name);
    onClose();
  };
  return (
    <FormDialog
      title={row === null ? t("tem.add") : t("tem.editOf", { name: row.temName })}
      form={form}
      ok={t("act.save")}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field name="templateName" />
      <Field name="remark" />
    </FormDialog>
  );
}

/** Router templates (section 2.7). Without the list's permission nothing is asked for. */
export default function RouterTemplatePage() {
  return useMay()("routerTemplateList") ? <Templates /> : <Unlisted />;
}

/** For who may not list them: to add one needs the permission to add alone (section 6). */
function Unlisted() {
  const t = useTemplateTexts();
  const { opened, open, close } = useOpened();
  return (
    <>
      <PageHead
        title={t("tem.title")}
        actions={
          <May code="routerTemplateAdd">
            <Button type="primary" onClick={() => open("add")}>
              {t("tem.add")}
            </Button>
          </May>
        }
      />
      <section className="w-card w-list">
        <EmptyState kind="good" text={t("tem.noList")} />
      </section>
      {opened?.what === "add" && <TemplateForm row={null} onClose={close} />}
    </>
  );
}

function Templates() {
  const t = useTemplateTexts();
  const may = useMay();
  const list = useResourceList(routerTemplate, { every: refreshEvery });
  const selection = useSelection<TemplateRow>("templateId", list);
  const { opened, open, close } = useOpened();
  const actions = useTemplateActions(open);
  const issue = useIssueReview();
  const versionsOf = list.rows.find(
    ({ templateId }) => opened?.what === "versions" && templateId === opened.id,
  );
  const add = {
    label: t("tem.add"),
    may: "routerTemplateAdd" as const,
    run: () => open("add"),
  };
  const canBatch = may("routerTemplateEdit") || may("routerTemplateRemove");
  return (
    <ListPage
      title={t("tem.title")}
      list={list}
      rowKey="templateId"
      columns={templateColumns(t, list, (id) => open("log", id))}
      filters={[{ key: "temName", kind: "text", label: t("tem.search") }]}
      tools={
        <>
          <ProtocolImportButton onOpen={() => open("protocolImport")} />
          <VisitButton onOpen={() => open("visit")} />
        </>
      }
      batchMenu={canBatch && <BatchMenu selection={selection} />}
      add={add}
      actions={actions}
      {...(canBatch && { selection })}
      empty={{
        text: t("tem.empty"),
        ...(may("routerTemplateAdd") && { action: add }),
      }}
    >
      <Dialogs opened={opened} rows={list.rows} open={open} close={close} />
      {issue.drawer}
      {versionsOf && (
        <Versions
          open
          template={{ templateId: versionsOf.templateId, templateName: versionsOf.temName }}
          onClose={close}
          onIssue={(version) => {
            close();
            void issue.request(
              [{ templateId: versionsOf.templateId, templateName: versionsOf.temName }],
              version,
            );
          }}
        />
      )}
    </ListPage>
  );
}

interface DialogsProps {
  readonly opened: Opened | null;
  readonly rows: readonly TemplateRow[];
  readonly open: (what: string, id: number) => void;
  readonly close: () => void;
}

function Dialogs({ opened, rows, open, close }: DialogsProps) {
  if (opened?.what === "add") return <TemplateForm row={null} onClose={close} />;
  if (opened?.what === "visit") return <VisitDialog onClose={close} />;
  if (opened?.what === "protocolImport") return <ProtocolImportDialog onClose={close} />;
  const row = rows.find(({ templateId }) => templateId === opened?.id);
  if (!row || !opened) return null;
  const shared = { templateId: row.templateId, name: row.temName, onClose: close };
  switch (opened.what) {
    case "edit":
      return <TemplateForm key={row.templateId} row={row} onClose={close} />;
    case "cpe":
      return <CpeTransfer {...shared} />;
    case "log":
      return <TemplateLog {...shared} onVersions={() => open("versions", row.templateId)} />;
    default:
      return null;
  }
}
