export default async function tearDown(): Promise<void> {
  const { stopCluster } = await import('./cluster.js');
  await stopCluster();
}
