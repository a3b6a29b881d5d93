import { cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { cpeLinkLog } from "@weft/contract/domains/overlay/topology.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import Tooltip from "antd/es/tooltip";
import { useOpened } from "#client/opened.ts";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { useCommandTexts } from "#domains/devices/parts/node/command-texts.ts";
import { LocalApiDialog } from "#domains/devices/parts/node/local-api-dialog.tsx";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { SiteFrame } from "#domains/devices/parts/site/site-frame.tsx";
import { standbyMessages } from "#domains/devices/parts/standby/messages.ts";
import { standbyLabel } from "#domains/devices/parts/standby/standby-state.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import { stateColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { Card } from "#ui/card.tsx";
import { StateText } from "#ui/glyph.tsx";
import { TimeText } from "#ui/time-text.tsx";
import { siteOverviewMessages } from "./messages.ts";
import { SiteOverviewCards } from "./site-overview.tsx";

/** Why one CPE is as it is. */
export default function CpeDetailPage() {
  return (
    <SiteFrame tab="overview">
      {(site) => (
        <SiteOverviewCards
          site={site}
          last={
            <>
              <StandbyCard id={site.overview.node.id} />
              <ContactLog node={site.overview.node} />
            </>
          }
        />
      )}
    </SiteFrame>
  );
}

const useOverviewTexts = () => useTexts(siteOverviewMessages, standbyMessages);

/** What a CPE is in its standby group now, and since when; nothing of one that is in none. */
function StandbyCard({ id }: { readonly id: number }) {
  const t = useOverviewTexts();
  const row = useCall(cpeFindById, { id }, { every: refreshEvery }).data;
  if (!row || (row.hotStandbyGroup === null && row.standbyState === null)) return null;
  return (
    <Card title={t("site.standby")}>
      <p>
        <StateText {...standbyLabel(row, t)} /> <TimeText value={row.standbySince} form="since" />
      </p>
      <p className="w-quiet">
        {row.hotStandbyGroup === null
          ? t("standby.byLine")
          : t("standby.place", {
              group: row.hotStandbyGroup,
              role: t.code("hotStandbyRole", row.hotStandbyRole),
            })}
      </p>
    </Card>
  );
}

type Contact = OutputOf<typeof cpeLinkLog>[number];

/** When a CPE connected to the controller, from where, and when it was lost; the newest first. */
function ContactLog({ node }: { readonly node: NodeCard }) {
  const t = useOverviewTexts();
  const list = useList(cpeLinkLog, {
    fixed: { cpeId: node.id },
    every: refreshEvery,
    inUrl: false,
  });
  return (
    <Card title={t("contact.title")} extra={<OwnPage node={node} />} flush>
      <ResourceTable
        list={list}
        rowKey="id"
        columns={[
          timeColumn("createTime", t("contact.when"), (row: Contact) => row.createTime, {
            width: 176,
          }),
          stateColumn(
            "status",
            t.field("linkStatus"),
            (row: Contact) => ({
              glyph: row.status === 1 ? "ok" : "bad",
              label: t.code("linkStatus", row.status),
            }),
            { width: 112 },
          ),
          textColumn("content", t("contact.from"), (row: Contact) => row.content),
        ]}
        empty={<EmptyState kind="waiting" text={t("contact.empty")} />}
      />
    </Card>
  );
}

/** The device's own page, read through the controller: both the code of the page and that of tests. */
function OwnPage({ node }: { readonly node: NodeCard }) {
  const t = useCommandTexts();
  const may = useMay();
  const { opened, open, close } = useOpened();
  if (!may("cpeRedirect") || !may("cpeDiagnosis")) return null;
  const offline = node.linkStatus === 1 ? undefined : t("localApi.offline");
  return (
    <>
      <Tooltip title={offline}>
        <Button size="small" disabled={offline !== undefined} onClick={() => open("localApi")}>
          {t("localApi.action")}
        </Button>
      </Tooltip>
      {opened?.what === "localApi" && <LocalApiDialog node={node} onClose={close} />}
    </>
  );
}
