import { routerTemplate } from "@weft/contract/domains/templates/router-template.ts";
import Button from "antd/es/button";
import { useOpened } from "#client/opened.ts";
import { May, useMay } from "#client/session.tsx";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { TemplateFrame } from "#domains/templates/parts/template/template-frame.tsx";
import type { TemplateChoice } from "#domains/templates/parts/template/use-template.ts";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { TimeText } from "#ui/time-text.tsx";
import { CpeTransfer } from "./cpe-transfer.tsx";
import { RolloutPanel } from "./rollout-panel.tsx";
import { TemplateLog } from "./template-log.tsx";
import { useTemplateTexts } from "./template-texts.ts";
import { VersionState } from "./version-state.tsx";

/** The selected template: what it is, and the way to its sections. */
export default function TemplateAddPage() {
  return (
    <TemplateFrame section="add">{(template) => <Overview template={template} />}</TemplateFrame>
  );
}

const overviewOf = (name: string) => ({
  temName: name,
  templateName: null,
  page: 1,
  limit: 10,
  size: 1000,
  orderByColumn: null,
  isAsc: null,
});

function Overview({ template }: { readonly template: TemplateChoice }) {
  const t = useTemplateTexts();
  const { opened, open, close } = useOpened();
  const { templateId, templateName } = template;
  const mayList = useMay()(routerTemplate.may.list);
  const result = useCall(routerTemplate.ops.list, mayList ? overviewOf(templateName) : null, {
    every: refreshEvery,
  });
  const shared = { templateId, name: templateName, onClose: close };
  const devices = (
    <>
      <May code="routerTemplateEdit">
        <Button onClick={() => open("cpe")}>{t("tem.cpe")}</Button>{" "}
      </May>
      {opened?.what === "cpe" && <CpeTransfer {...shared} />}
    </>
  );
  // Who may edit it and not list templates sees neither its versions nor its rollouts.
  if (!mayList) return devices;
  if (result.error && !result.data) return <Failed error={result.error} retry={result.refetch} />;
  const row = result.data?.find((one) => one.templateId === templateId);
  if (!row) return <Loading rows={4} />;
  return (
    <>
      <KeyValue
        items={[
          { label: t.field("templateName"), value: row.temName },
          { label: t.field("enterpriseName"), value: row.enterpriseName },
          {
            label: t("tem.version"),
            value: row.version === 0 ? t("tem.neverIssued") : <VersionState row={row} />,
          },
          {
            label: t("tem.finished"),
            value: t("tem.finishedOf", { finished: row.cpeFinishNum, count: row.cpeNum }),
          },
          { label: t.field("createTime"), value: <TimeText value={row.createTime} /> },
          { label: t.field("remark"), value: row.remark || "—" },
        ]}
      />
      <RolloutPanel templateId={templateId} version={row.version} />
      <p className="w-quiet">{t("tem.overviewHelp", { next: row.version + 1 })}</p>
      {devices}
      <Button onClick={() => open("log")}>{t("tem.log")}</Button>
      {opened?.what === "log" && <TemplateLog {...shared} onVersions={() => open("versions")} />}
    </>
  );
}
