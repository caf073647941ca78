FROM node:26-slim AS build
WORKDIR /muster
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && chmod +x dist/cli/muster.js

# Without the optional packages: the image has its own Node, and production its own PostgreSQL.
FROM node:26-slim AS dependencies
WORKDIR /muster
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev --omit=optional

# Belongs to root, runs as another, and writes nowhere: the root file system may be read-only.
FROM node:26-slim
WORKDIR /muster
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps HOST=0.0.0.0 PORT=3000 OPERATIONS_PORT=9464
COPY --from=dependencies /muster/node_modules node_modules
COPY --from=build /muster/dist dist
COPY migrations migrations
COPY package.json ./
RUN ln -s /muster/dist/cli/muster.js /usr/local/bin/muster
USER 1000:1000
EXPOSE 3000 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPERATIONS_PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["muster"]
CMD ["serve"]
