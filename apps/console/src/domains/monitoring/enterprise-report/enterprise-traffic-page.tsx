import { EnterpriseFrame } from "#domains/enterprises/parts/enterprise/enterprise-frame.tsx";
import styles from "#parts/chart/chart-grid.module.css";
import { EnterpriseLines } from "./enterprise-lines.tsx";

/** Traffic of the lines of one enterprise. */
export default function EnterpriseTrafficPage() {
  return (
    <EnterpriseFrame tab="traffic">
      {(groupid) => (
        <div className={styles.page}>
          <EnterpriseLines groupid={groupid} />
        </div>
      )}
    </EnterpriseFrame>
  );
}
