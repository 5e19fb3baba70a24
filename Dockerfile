# The image of the server: `docker build -t gatehouse/server .`
# It has Node, the published package and the few system libraries that they load. It has no shell and no package manager.
ARG NODE_IMAGE=node:24-bookworm-slim

# The build gives the same files on every platform, so it runs on the platform of the builder.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /source
COPY . .
ENV TURBO_TELEMETRY_DISABLED=1
RUN npx --yes pnpm@12 install --frozen-lockfile --filter gatehouse --filter "@gatehouse/server..." \
  && npx --yes pnpm@12 exec turbo run build --filter=@gatehouse/server --output-logs=errors-only \
  && npx --yes pnpm@12 --filter @gatehouse/server package

FROM ${NODE_IMAGE} AS image
COPY --from=build /source/apps/server/build/gatehouse-server-*.tgz /package/
RUN npm install --global --prefix /image/usr/local --no-audit --no-fund /package/*.tgz
# The records of the copied Debian packages let scanners find their vulnerabilities.
RUN mkdir -p /image/usr/local/bin /image/usr/bin /image/etc /image/data /image/tmp /image/var/lib/dpkg/status.d \
  && cp /usr/local/bin/node /image/usr/local/bin/ \
  && cp /usr/bin/env /image/usr/bin/ \
  && cp /etc/os-release /image/etc/ \
  && files=$(find /image -name "*.node" -o -path "*/bin/node" -o -path "*/bin/env" | xargs -n 1 ldd | grep -o "/[^ ]*" | grep "^/lib" | sort -u) \
  && cp --parents --dereference $files /image/ \
  && for package in $(dpkg-query --search /usr/bin/env /bin/env $files $(realpath $files) 2>/dev/null | sed "s/:.*//" | sort -u); do \
       dpkg-query --status "$package" > "/image/var/lib/dpkg/status.d/$package"; \
     done \
  && echo "gatehouse:x:1000:1000::/data:/sbin/nologin" > /image/etc/passwd \
  && echo "gatehouse:x:1000:" > /image/etc/group \
  && chown 1000:1000 /image/data && chmod 1777 /image/tmp

FROM scratch
COPY --from=image /image/ /
ENV PATH=/usr/local/bin:/usr/bin \
  HOME=/data \
  NODE_ENV=production \
  HOST=0.0.0.0 \
  GATEHOUSE_DATA_DIR=/data
USER 1000:1000
WORKDIR /data
# The embedded database. With DATABASE_URL, nothing is written to it.
VOLUME /data
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=5m \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The command replaces itself by Node, which gets the signals. Arguments are `relay`, or commands of administrators such as `keys create`.
ENTRYPOINT ["gatehouse-server"]
LABEL org.opencontainers.image.title="Gatehouse" \
  org.opencontainers.image.description="A self-hosted server for feature flags and experiments, with a web console" \
  org.opencontainers.image.licenses="Apache-2.0"
