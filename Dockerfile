FROM node:26-slim AS build
WORKDIR /muster
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

# Without the optional packages: the image has its own Node, and production its own PostgreSQL.
FROM node:26-slim AS dependencies
WORKDIR /muster
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev --omit=optional

FROM node:26-slim
WORKDIR /muster
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps HOST=0.0.0.0 PORT=3000
COPY --from=dependencies /muster/node_modules node_modules
COPY --from=build /muster/dist dist
COPY migrations migrations
COPY package.json ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli/muster.js"]
CMD ["serve"]
