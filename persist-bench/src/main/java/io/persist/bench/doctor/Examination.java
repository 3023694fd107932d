package io.persist.bench.doctor;

/** All that is known of a directory, for a report. */
record Examination(Facts facts, Measurements measurements, Diagnosis diagnosis) {

    static Examination of(Facts facts, Measurements measurements) {
        return new Examination(facts, measurements, Diagnosis.of(facts, measurements));
    }
}
