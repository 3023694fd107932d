package io.persist.bench.doctor.diagnosis;

import io.persist.bench.doctor.disk.Measurements;
import io.persist.bench.doctor.machine.Facts;

/** All that is known of a directory, for a report. */
public record Examination(Facts facts, Measurements measurements, Diagnosis diagnosis) {

    public static Examination of(Facts facts, Measurements measurements) {
        return new Examination(facts, measurements, Diagnosis.of(facts, measurements));
    }
}
