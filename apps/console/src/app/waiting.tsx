/** The line at the top while something is on its way. */
export function Waiting() {
  return <div className="w-progress" role="progressbar" data-on />;
}
