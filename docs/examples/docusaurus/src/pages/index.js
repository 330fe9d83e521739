import React from "react";
import Layout from "@theme/Layout";
import Link from "@docusaurus/Link";

export default function Home() {
  return (
    <Layout title="Kettle" description="A kettle with a manual">
      <main className="container margin-vert--lg">
        <h1>Kettle</h1>
        <p>Water at the degree that you set, and a manual that answers.</p>
        <h2 id="colours">Colours</h2>
        <p>The kettle is sold in moss green, in slate and in cream.</p>
        <Link to="/docs/">Read the manual</Link>
      </main>
    </Layout>
  );
}
