package io.persist.tool.store;

import io.persist.store.StoreRecovery.Skipped;
import io.persist.store.checkpoint.CheckpointFile;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.PayloadText;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** The numbers of a store for people. */
final class StoreNumbersText {

    private final StringBuilder text = new StringBuilder();

    private StoreNumbersText() {}

    static String of(StoreNumbers store) {
        StoreNumbersText table = new StoreNumbersText();
        table.add(store);
        return table.text.toString();
    }

    private void add(StoreNumbers store) {
        text.append(PayloadText.visible(store.log())).append(": ");
        text.append(Descriptions.writer(store.now().writer(), store.now().pid()))
                .append('\n');
        line("keys", grouped(store.keys()));
        line("live", grouped(store.liveBytes()) + " bytes");
        line("space", space(store));
        line("space ratio", decimal(store.spaceRatio()));
        line("index", grouped(store.indexUsedBytes()) + " bytes, " + decimal(store.indexBytesPerKey()) + " per key");
        long count = store.recovery().checkpoint().keys();
        String keys = ", " + grouped(count) + (count == 1 ? " key" : " keys");
        line("checkpoint", store.newest().map(file -> file(file) + keys).orElse("none"));
        store.older().ifPresent(file -> line("older one", file(file)));
        if (store.now().isWritingCheckpoint()) {
            line("", "another one is being written");
        }
        line("log since", grouped(store.logBytes()) + " bytes");
        line("recovery", store.recovery().describe());
        for (Skipped skipped : store.recovery().skipped()) {
            line("not used", skipped.file() + ": " + skipped.why());
        }
    }

    private static String space(StoreNumbers store) {
        String space = grouped(store.spaceBytes()) + " bytes in " + Descriptions.number(store.segments(), "segment");
        return store.vacatedSegments() == 0 ? space : space + ", and " + store.vacatedSegments() + " vacated";
    }

    private static String file(CheckpointFile file) {
        Duration age = Duration.between(Instant.ofEpochMilli(file.createdAtMs()), Instant.now());
        return file.name() + ", " + age(age) + " old, " + grouped(file.bytes()) + " bytes";
    }

    /** In the largest unit of which there are two. */
    static String age(Duration age) {
        if (age.toDays() >= 2) {
            return age.toDays() + " d";
        }
        if (age.toHours() >= 2) {
            return age.toHours() + " h";
        }
        return age.toMinutes() >= 2 ? age.toMinutes() + " min" : Math.max(0, age.toSeconds()) + " s";
    }

    private void line(String name, String value) {
        text.append(String.format(Locale.ROOT, "  %-12s %s%n", name, value));
    }

    private static String grouped(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%,.2f", value);
    }
}
