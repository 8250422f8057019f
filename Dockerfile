# Runs the workflow with the locked packages:
#   docker build -t fairflow .
#   docker run --rm -v "$PWD/results:/fairflow/results" fairflow
# Another command after the image's name replaces make run, such as make report.
FROM python:3.11-slim-bookworm

# make starts the workflow; Debian serves but one version of it.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /fairflow

# By itself, so that an edit of the project does not install everything again.
COPY Makefile ./
COPY envs/requirements.txt envs/
RUN make .venv/workflow

COPY . .

# Whoever runs it may write: docker run --user "$(id -u):$(id -g)" leaves results of one's own.
RUN chmod -R a+rwX /fairflow
ENV HOME=/tmp

CMD ["make", "run"]
