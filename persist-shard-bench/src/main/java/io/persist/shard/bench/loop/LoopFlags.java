package io.persist.shard.bench.loop;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.command.Checks;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.PlaceFlags;
import io.persist.shard.bench.place.ShardCommand;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The flags of {@link OpenLoopCommand}: those of Materialize's open loop, and where its metrics are. */
final class LoopFlags {

    @ParametersDelegate
    final PlaceFlags place = new PlaceFlags("mem");

    private static final int MAX_PORT = 65_535;
    private static final double MOST_RECORDS = 1e12;

    @Parameter(
            names = "--num-writers",
            order = 10,
            placeholder = "N",
            description = "writers, all of the same data; 0 to read what other processes write")
    int writers = 1;

    @Parameter(names = "--num-readers", order = 11, placeholder = "N", description = "readers, each of all data")
    int readers = 1;

    @Parameter(
            names = "--benchmark-type",
            order = 12,
            placeholder = "TYPE",
            description = "raw-writer; the other one of the source, mz-source-model, was never written")
    private String type = "raw-writer";

    @Parameter(names = "--runtime", order = 13, placeholder = "TIME", description = "60s, 10m, 1h, 500ms")
    private String runtime = "60s";

    @Parameter(
            names = "--records-per-second",
            order = 14,
            placeholder = "N",
            description = "of each writer; they come at their time whatever is behind")
    private long rate = 100;

    @Parameter(
            names = "--record-size-bytes",
            order = 15,
            placeholder = "BYTES",
            description = "key, time and diff of each record together")
    private int recordBytes = 64;

    @Parameter(names = "--batch-size", order = 16, placeholder = "N", description = "records of each batch")
    private int batchRecords = 100;

    @Parameter(
            names = "--distinct-keys",
            order = 17,
            placeholder = "N",
            defaultValueDescription = "all",
            description = "after how many records keys come again: what is below since is summed, so that space is"
                    + " bounded")
    private @Nullable Long keys;

    @Parameter(
            names = "--bare",
            order = 18,
            placeholder = "TIME",
            description = "how long the disk of --dir is measured bare, before the run and after it")
    private String bare = "0s";

    @Parameter(
            names = "--logging-granularity",
            order = 19,
            placeholder = "TIME",
            description = "between two reports of how far it is")
    private String granularity = "1s";

    @Parameter(
            names = {"-s", "--shard-id"},
            order = 20,
            placeholder = "ID",
            defaultValueDescription = "a new one, deleted in the end",
            description = "the shard, for several processes at one place; it stays")
    @Nullable
    String shardId;

    @Parameter(
            names = "--metrics-port",
            order = 21,
            placeholder = "PORT",
            defaultValueDescription = "none",
            description = "of 127.0.0.1, where Prometheus reads /metrics; 0 for any")
    private @Nullable Long metricsPort;

    @Parameter(
            names = "--internal-http-listen-addr",
            order = 22,
            placeholder = "HOST:PORT",
            defaultValueDescription = "none",
            description = "the same, as the source has it; the host is 127.0.0.1 or localhost")
    private @Nullable String listen;

    @Parameter(
            names = "--metrics-file",
            order = 23,
            placeholder = "FILE",
            defaultValueDescription = "none",
            description = "where to leave the metrics at the end")
    @Nullable
    Path metricsFile;

    /** Throws {@link UsageException} if a value is of no use. */
    void validate() {
        Checks.range("--num-writers", writers, 0, 64);
        Checks.range("--num-readers", readers, 0, 64);
        if (writers + readers == 0) {
            throw new UsageException("--num-writers and --num-readers are 0; give one of them");
        }
        if (writers == 0 && shardId == null) {
            throw new UsageException("--num-writers 0 only reads, and a new shard has nothing; name one by --shard-id,"
                    + " --blob-uri and --consensus-uri");
        }
        if (!type.equals("raw-writer")) {
            throw new UsageException("--benchmark-type " + type + " is none of raw-writer; the source has one more, but"
                    + " nothing behind it");
        }
        Checks.range("--records-per-second", rate, 1, 1e9);
        Checks.range("--record-size-bytes", recordBytes, DataSet.LEAST_BYTES, 1 << 20);
        Checks.range("--batch-size", batchRecords, 1, 10_000_000);
        long runtimeNs = ShardCommand.nanos("--runtime", runtime);
        Checks.range("--runtime in seconds", runtimeNs / 1e9, 0.001, 31 * 86_400);
        Checks.range("--logging-granularity in seconds", granularityNs() / 1e9, 0.001, 86_400);
        Checks.range("records of --records-per-second for --runtime", rate * (runtimeNs / 1e9), 1, MOST_RECORDS);
        Checks.range(
                "batches of --batch-size", Math.ceil((double) data().records() / batchRecords), 1, Integer.MAX_VALUE);
        if (keys != null) {
            Checks.range("--distinct-keys", keys, 1, MOST_RECORDS);
        }
        if (!data().hasRoomForKeys()) {
            throw new UsageException("--record-size-bytes " + recordBytes + " has no room for "
                    + Text.grouped(data().distinctKeys()) + " different keys; give more, or fewer records");
        }
        if (keys != null && readers == 0 && shardId == null) {
            throw new UsageException(
                    "--distinct-keys bounds nothing without a reader, which since follows; give" + " --num-readers 1");
        }
        Checks.range("--bare in seconds", bareNs() / 1e9, 0, 3_600);
        if (bareNs() > 0 && !place.hasFilesInDir()) {
            throw new UsageException("--bare measures the disk of --dir, where the objects of " + place.text()
                    + " are not; leave it out, or name the directory of their files");
        }
        if (bareNs() > 0) {
            Checks.directory("--dir", place.dir());
        }
        if (shardId != null && !shardId.matches("[a-z0-9-]{1,64}")) {
            throw new UsageException(
                    "--shard-id " + shardId + " is none; give 1 to 64 small letters, digits and dashes");
        }
        if (shardId != null && place.isOwn()) {
            throw new UsageException("--shard-id is of use with --blob-uri and --consensus-uri only; leave it out");
        }
        metricsPort();
        if (metricsFile != null) {
            Checks.file("--metrics-file", metricsFile);
        }
        place.one();
        place.validate();
    }

    /** The port of metrics, or -1 for none. */
    int metricsPort() {
        if (metricsPort != null && listen != null) {
            throw new UsageException("--metrics-port and --internal-http-listen-addr say the same; give one of them");
        }
        if (metricsPort != null) {
            Checks.range("--metrics-port", metricsPort, 0, MAX_PORT);
            return metricsPort.intValue();
        }
        if (listen == null) {
            return -1;
        }
        if (!listen.matches("(127\\.0\\.0\\.1|localhost):[0-9]{1,5}")) {
            throw new UsageException("--internal-http-listen-addr " + listen
                    + " is no port of this machine alone; give one such as 127.0.0.1:6878");
        }
        int port = Integer.parseInt(listen.substring(listen.indexOf(':') + 1));
        Checks.range("port of --internal-http-listen-addr", port, 0, MAX_PORT);
        return port;
    }

    long granularityNs() {
        return ShardCommand.nanos("--logging-granularity", granularity);
    }

    /** How long the disk is measured bare; 0 for not at all. */
    long bareNs() {
        return ShardCommand.nanos("--bare", bare);
    }

    /** Between the times of two records. */
    double recordNs() {
        return 1e9 / rate;
    }

    DataSet data() {
        long records = Math.max(1, Math.round(rate * (ShardCommand.nanos("--runtime", runtime) / 1e9)));
        return new DataSet(records, recordBytes, batchRecords, keys == null ? records : keys);
    }

    /** For people and for files. */
    Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("backend", place.text());
        parameters.put("num-writers", Integer.toString(writers));
        parameters.put("num-readers", Integer.toString(readers));
        parameters.put("runtime", runtime);
        parameters.put("records-per-second", Text.grouped(rate));
        parameters.put("record-size-bytes", Text.grouped(recordBytes));
        parameters.put("batch-size", Text.grouped(batchRecords));
        parameters.put("distinct-keys", keys == null ? "all" : Text.grouped(keys));
        return parameters;
    }
}
