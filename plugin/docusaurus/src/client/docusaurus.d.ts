/** The two modules that Docusaurus gives to the browser, as far as they are used here. */

declare module "@docusaurus/router" {
  export function matchPath(
    path: string,
    options: { path: string; exact?: boolean; strict?: boolean },
  ): unknown;
}

declare module "@generated/routes" {
  export interface Route {
    path: string;
    exact?: boolean;
    strict?: boolean;
    routes?: Route[];
  }
  const routes: Route[];
  export default routes;
}
