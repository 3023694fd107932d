package io.persist.bench.doctor;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.persist.bench.doctor.diagnosis.Diagnosis;
import io.persist.bench.doctor.diagnosis.Examination;
import io.persist.bench.doctor.diagnosis.Finding;
import io.persist.bench.doctor.disk.Measurement;
import io.persist.bench.doctor.disk.Measurements;
import io.persist.bench.doctor.machine.Facts;
import java.io.PrintStream;
import java.util.Locale;

/** One JSON document for programs. Times are in ns; what was refused has a reason in place of times. */
final class JsonReport {

    private static final Gson GSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    private JsonReport() {}

    static void print(Examination examination, PrintStream out) {
        Diagnosis diagnosis = examination.diagnosis();
        JsonObject json = new JsonObject();
        json.addProperty("directory", examination.facts().directory().toString());
        json.addProperty("usable", diagnosis.isUsable());
        json.addProperty("belief", lower(diagnosis.belief().level()));
        json.add("verdict", GSON.toJsonTree(diagnosis.verdict()));
        json.add("choices", GSON.toJsonTree(diagnosis.choices()));
        json.add("findings", findings(diagnosis));
        json.add("measurements", measurements(examination.measurements()));
        json.addProperty(
                "sequentialBytesPerSecond",
                Math.round(examination.measurements().sequentialBytesPerSecond()));
        json.add("facts", GSON.toJsonTree(examination.facts().asMap()));
        out.println(GSON.toJson(json));
    }

    private static JsonArray findings(Diagnosis diagnosis) {
        JsonArray array = new JsonArray();
        for (Finding finding : diagnosis.findings()) {
            JsonObject json = new JsonObject();
            json.addProperty("severity", lower(finding.severity()));
            json.addProperty("what", finding.what());
            json.addProperty("remedy", finding.remedy());
            array.add(json);
        }
        return array;
    }

    private static JsonArray measurements(Measurements measurements) {
        JsonArray array = new JsonArray();
        for (Measurement each : measurements.all()) {
            JsonObject json = new JsonObject();
            json.addProperty("operation", each.operation().key());
            json.addProperty("space", each.space().words());
            json.addProperty("samples", each.samples());
            if (each.isMeasured()) {
                json.addProperty("meanNs", Math.round(each.meanNs()));
                json.addProperty("p50Ns", each.p50Ns());
                json.addProperty("p90Ns", each.p90Ns());
                json.addProperty("p99Ns", each.p99Ns());
                json.addProperty("maxNs", each.maxNs());
            } else {
                json.addProperty("refusal", Facts.orUnknown(each.refusal()));
            }
            array.add(json);
        }
        return array;
    }

    /** As not-believed. */
    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
