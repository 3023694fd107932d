package io.persist.kafka.bench;

import io.persist.command.Manual;
import io.persist.command.Program;
import io.persist.command.Text;
import io.persist.command.launch.Commands;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.KafkaException;

/** {@code bin/persist kafka}: a workflow engine in Kafka Streams, on the store of Persist or on RocksDB. */
public final class KafkaProgram extends Program {

    static final String NAME = "kafka";

    private final KafkaFlags flags = new KafkaFlags();

    /** At its defaults. */
    public KafkaProgram() {}

    public static void main(String[] args) {
        Commands.end(new KafkaProgram(), args);
        System.exit(OK); // a broker in this process may leave threads behind
    }

    @Override
    public Manual manual() {
        return Manual.of(
                        NAME,
                        "COMMAND [W SIZE T]",
                        "LittleHorse's workflow engine in Kafka Streams: one input partition, one store, its",
                        "changelog. On the store of Persist, or on RocksDB as Kafka configures it.")
                .choice("Commands", Verb.meanings())
                .note("Without W SIZE T a run is 100 1000 50: 10,100 commands. Without --bootstrap each command has a"
                        + " broker in its process, and a server in another one, and runs whatever it needs; nothing is"
                        + " left of them.")
                .note("With --bootstrap setup, server and launchTests each do their own part, and topics stay; the"
                        + " metrics are those of the server that --server names; restore is a second instance with an"
                        + " empty directory, while no server runs. compare has topics of its own, and deletes them.")
                .note("Tables go to standard output as Markdown, how far it is to standard error. After the run, after"
                        + " kill -9 and after a restore the whole state is looked at: workflows, task runs, and a"
                        + " checksum of both.")
                .example(
                        "as LittleHorse has it, for a page",
                        "compare 1000 2000 200 --rounds 3 --punctuate 40 --timer-delay 10 --output runs")
                .exits("it failed");
    }

    @Override
    protected List<?> flags() {
        return List.of(flags);
    }

    @Override
    protected int work(Call call) throws IOException, InterruptedException {
        try {
            return new KafkaRun(flags, call, prefix()).run();
        } catch (KafkaException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause(); // it says what was wrong
            throw new IOException(Text.describe(cause), e);
        } catch (Trial.Stopped e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
