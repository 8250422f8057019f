"""From the scores of studies to the models of one of them, compared in every specification.

kind            path                                         made from
specifications  results/studies/STUDY/specification_curve.csv  scores of several studies
"""

from fairflow.validity import SEVERAL

OF_SPECIFICATIONS = [table for table in study_tables(None, SEVERAL) if table.of == SEVERAL]

for study in PLAN.studies.values():
    if SEVERAL in study.parts:
        specifications = job("specifications", study=study.name)

        rule:
            name:
                f"tabulate_specifications_of_{study.name}"
            input:
                unpack(specifications.inputs),
            output:
                tables_in_report(study, OF_SPECIFICATIONS),
            params:
                **specifications.params,
            message:
                f"Compare the models of {study.name} in every specification"
            script:
                "../../../scripts/validity/tabulate_specifications.py"
