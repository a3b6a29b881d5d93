import { routerTemplate } from "@weft/contract/domains/templates/router-template.ts";
import Button from "antd/es/button";
import { type Opened, useOpened } from "#client/opened.ts";
import { May, useMay } from "#client/session.tsx";
import { refreshEvery } from "#client/use-call.ts";
import { useIssueReview } from "#domains/templates/parts/template/issue-review.tsx";
import { Versions } from "#domains/templates/parts/template/versions.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { useSelection } from "#kernel/list/use-selection.ts";
import { PageHead } from "#ui/page-head.tsx";
import { CpeTransfer } from "./cpe-transfer.tsx";
import { ProtocolImportButton, ProtocolImportDialog } from "./protocol-import-dialog.tsx";
import { BatchMenu, useTemplateActions } from "./template-actions.tsx";
import { templateColumns } from "./template-columns.tsx";
import { TemplateForm } from "./template-form.tsx";
import { TemplateLog } from "./template-log.tsx";
import { type TemplateRow, useTemplateTexts } from "./template-texts.ts";
import { VisitButton, VisitDialog } from "./visit-dialog.tsx";

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
