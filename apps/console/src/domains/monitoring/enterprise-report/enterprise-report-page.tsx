import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import Select from "antd/es/select";
import { Link, useSearchParams } from "react-router";
import { paths, useNumberParam } from "#client/paths.ts";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import styles from "#parts/chart/chart-grid.module.css";
import { PageHead } from "#ui/page-head.tsx";
import { EnterpriseLines } from "./enterprise-lines.tsx";
import { enterpriseReportMessages } from "./messages.ts";

const useReportTexts = () => useTexts(enterpriseReportMessages);

/** Lines of all sites of an enterprise; one of them with its metrics over time (section 2.4). */
export default function EnterpriseReportPage() {
  const t = useReportTexts();
  const { groupid: ownGroupid } = useSession();
  const groupid = useNumberParam("groupid") ?? ownGroupid;
  const { data: enterprises = [] } = useCall(enterpriseCombo, {});
  const [, setSearch] = useSearchParams();
  const name = enterprises.find((enterprise) => enterprise.groupid === groupid)?.name ?? "";
  return (
    <div className={styles.page}>
      <PageHead
        title={`${t("enterpriseReport.title")} ${name}`}
        actions={
          <>
            <Link className="w-link" to={paths.enterprise()}>
              {t("enterpriseReport.back")}
            </Link>
            <Select
              aria-label={t("enterpriseReport.choose")}
              className="w-choice"
              value={groupid}
              options={enterprises.map((enterprise) => ({
                value: enterprise.groupid,
                label: enterprise.name,
              }))}
              showSearch={{ optionFilterProp: "label" }}
              onChange={(value) => setSearch({ groupid: String(value) })}
            />
          </>
        }
      />
      <EnterpriseLines key={groupid} groupid={groupid} />
    </div>
  );
}
