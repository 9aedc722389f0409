# The site as one image. Alone it keeps its games in a file under /data; with FAIRYHOUSE_MONGODB_URI it keeps nothing itself.
#
#   docker build -t fairyhouse .
#   docker run --read-only --tmpfs /tmp -v fairyhouse:/data -p 127.0.0.1:8080:8080 fairyhouse

# Both stages stand on it. Whoever releases names it by its digest, too (docs/releasing.md).
ARG BASE=python:3.11-slim
FROM ${BASE} AS build
WORKDIR /src
COPY requirements.lock ./
# What it needs comes by digest: a package that was exchanged on its way is refused.
RUN python -m venv /opt/fairyhouse \
    && /opt/fairyhouse/bin/pip install --no-cache-dir --require-hashes --requirement requirements.lock
# Only what the wheel is made of, so that a change elsewhere builds nothing anew.
COPY pyproject.toml package.json package-lock.json README.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md ./
COPY docs docs
COPY static static
COPY templates templates
COPY server server
# Building the wheel builds the browser client too; Node comes as a Python package and stays in this stage.
RUN /opt/fairyhouse/bin/pip install --no-cache-dir --no-deps .

FROM ${BASE}
RUN useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin fairyhouse \
    && install --directory --owner fairyhouse --group fairyhouse --mode 0700 /data
COPY --from=build /opt/fairyhouse /opt/fairyhouse
# The root file system may be read-only: nothing is written but /data.
ENV PATH=/opt/fairyhouse/bin:$PATH FAIRYHOUSE_HOST=0.0.0.0 FAIRYHOUSE_PORT=8080 FAIRYHOUSE_DATA_DIR=/data \
    PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# By number, as Kubernetes cannot tell that a name is not root's.
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", \
         "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"FAIRYHOUSE_PORT\"]}/health', timeout=4)"]
# No shell in between, so that SIGTERM reaches the server and it can close in good order. With a setting that cannot be
# used it says so once and stays, unhealthy, instead of being started again and again.
CMD ["fairyhouse", "--hold"]
