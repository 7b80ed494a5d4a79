"""Airflow 3: the same extraction as a pod, as processes on a worker, and in shards.

A file of its own below dags/. The packages apache-airflow-providers-standard and,
for the pod, apache-airflow-providers-cncf-kubernetes must be installed.
"""

import json
from datetime import datetime, timedelta

from airflow.exceptions import AirflowFailException
from airflow.providers.cncf.kubernetes.operators.pod import KubernetesPodOperator
from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG, task
from kubernetes.client import models as k8s

# Retries continue: ds, run_id and the journal are the same for every try. For a pod Airflow does not tell
# statuses apart: 75 is worth a retry; 1 and 2 happen again, and cost little. In bash they end all tries.
NIGHTLY = {
    "schedule": "15 3 * * *",
    "start_date": datetime(2026, 11, 1),
    "catchup": False,
    "max_active_runs": 1,
    "default_args": {
        "retries": 3,
        "retry_delay": timedelta(minutes=2),
        "retry_exponential_backoff": True,
        "execution_timeout": timedelta(hours=20),  # of one try
    },
}

# What ends a line of bash whose retries stop after 1 and 2: these become its last line, which result sees.
OR_STOP = """ || case $? in 1 | 2) echo "status $?" ;; *) exit $? ;; esac"""


def result(line):
    """The last line of stdout and stderr, a JSON text, unless another try would end as this one."""
    if line in ("status 1", "status 2"):
        raise AirflowFailException(f"sluice ended with {line}, as it would again: the log says why")
    return json.loads(line)


@task
def say(reports):
    """Print what came: a report, or one for each job."""
    # What mapped tasks give is a lazy sequence, no list.
    for report in [reports] if isinstance(reports, dict) else reports:
        for job in report["jobs"]:
            print(job["id"], job["items"], job["verdict"])


# All jobs in one pod. The report is the task's XCom: the sidecar reads return.json.
# Status 3 (--strict, and the data may be incomplete: nothing was published) skips
# the task and what follows; without skip_on_exit_code it fails.
with DAG("sluice_pod", **NIGHTLY):
    extract = KubernetesPodOperator(
        task_id="extract",
        name="sluice",
        image="registry.example.com/sluice:0.1.0",
        arguments=[
            "run",
            "/etc/sluice/api.json",
            "--output=s3://my-bucket/exports/{{ ds }}/",
            "--compress=gzip",
            "--run-id={{ run_id }}",
            "--date={{ ds }}",
            "--checkpoint=s3://my-bucket/journals/{{ run_id }}/",
            "--state=s3://my-bucket/state/api.json",
            "--attr-env=#password=API_PASSWORD",
            "--strict",
            "--summary=/airflow/xcom/return.json",
        ],
        do_xcom_push=True,
        skip_on_exit_code=3,
        env_from=[k8s.V1EnvFromSource(secret_ref=k8s.V1SecretEnvSource(name="sluice-api"))],
        volumes=[
            k8s.V1Volume(name="api", config_map=k8s.V1ConfigMapVolumeSource(name="sluice-api")),
            k8s.V1Volume(name="tmp", empty_dir=k8s.V1EmptyDirVolumeSource(size_limit="10Gi")),
        ],
        volume_mounts=[
            k8s.V1VolumeMount(name="api", mount_path="/etc/sluice", read_only=True),
            k8s.V1VolumeMount(name="tmp", mount_path="/tmp"),
        ],
        container_resources=k8s.V1ResourceRequirements(
            requests={"cpu": "100m", "memory": "128Mi"}, limits={"memory": "256Mi"}
        ),
        container_security_context=k8s.V1SecurityContext(
            run_as_non_root=True,
            run_as_user=65532,
            read_only_root_filesystem=True,
            allow_privilege_escalation=False,
            capabilities=k8s.V1Capabilities(drop=["ALL"]),
            seccomp_profile=k8s.V1SeccompProfile(type="RuntimeDefault"),
        ),
        termination_grace_period=40,
    )
    say(extract.output)

# One process for each job on a worker that has sluice and /etc/sluice/api.json. The
# last line of stdout is the task's XCom. --job comes by its twin in the environment,
# since what an XCom gives is not rendered. Each job has a state and a journal of its own.
with DAG("sluice_bash", **NIGHTLY):
    jobs = BashOperator(
        task_id="jobs",
        bash_command="sluice jobs /etc/sluice/api.json" + OR_STOP,
        output_processor=result,
    )
    extract = BashOperator.partial(
        task_id="extract",
        bash_command="sluice run /etc/sluice/api.json"
        " -o 's3://my-bucket/exports/{{ ds }}/' --name '{job}/{dataType}.{ext}' -z gzip"
        " --run-id '{{ run_id }}' --date '{{ ds }}' --checkpoint \"s3://my-bucket/journals/{{ run_id }}/${SLUICE_JOB:-all}/\""
        " --state \"s3://my-bucket/state/${SLUICE_JOB:-all}.json\" --attr-env '#password=API_PASSWORD' --strict --summary -" + OR_STOP,
        append_env=True,  # API_PASSWORD and AWS_… come from the worker
        output_processor=result,
        skip_on_exit_code=3,
        max_active_tis_per_dagrun=4,
    ).expand(env=jobs.output.map(lambda job: {"SLUICE_JOB": job}))
    say(extract.output)

# One collection by eight processes, which may run on as many workers, and one that
# publishes what they have sealed. It begins when all have ended well.
with DAG("sluice_shards", **NIGHTLY):
    shards = BashOperator.partial(
        task_id="shard",
        bash_command="sluice run /etc/sluice/api.json -o 's3://my-bucket/exports/{{ ds }}/' -z gzip"
        " --run-id '{{ run_id }}' --date '{{ ds }}' --attr-env '#password=API_PASSWORD' --summary -" + OR_STOP,
        append_env=True,
        output_processor=result,
    ).expand(env=[{"SLUICE_SHARD": f"{shard}/8"} for shard in range(8)])
    publish = BashOperator(
        task_id="publish",
        bash_command="sluice publish 's3://my-bucket/exports/{{ ds }}/' --run-id '{{ run_id }}' --shards 8 --strict --summary -" + OR_STOP,
        append_env=True,
        output_processor=result,
        skip_on_exit_code=3,
    )
    shards >> publish
    say(publish.output)
