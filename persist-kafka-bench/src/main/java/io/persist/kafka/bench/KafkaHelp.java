package io.persist.kafka.bench;

import io.persist.command.CommandLine;
import java.io.PrintStream;

/** What {@code bin/persist kafka --help} prints. */
final class KafkaHelp {

    private static final String BEGINNING = """
            LittleHorse's workflow engine in Kafka Streams: one input partition, one store, its changelog. On the
            store of Persist, or on RocksDB as Kafka configures it.

              bin/persist kafka compare [W SIZE T]      engines in turn: run, kill -9, restore
              bin/persist kafka launchTests [W SIZE T]  W workflows of T tasks, payloads of SIZE bytes
              bin/persist kafka restore [W SIZE T]      the state directory is deleted: how long restoring takes
              bin/persist kafka workflowMetrics [N]     the last N windows of the workflows' latencies, as JSON; 0: all
              bin/persist kafka storeMetrics            Kafka's metrics of the store, as JSON
              bin/persist kafka server                  the engine alone, until it is interrupted
              bin/persist kafka setup                   makes the input topic

            Without W SIZE T a run is 100 1000 50: 10,100 commands. Without --bootstrap each command has a broker in
            its process, and a server in another one, and runs whatever it needs; nothing is left of them.

            With --bootstrap setup, server and launchTests each do their own part, and topics stay; the metrics are
            those of the server that --server names; restore is a second instance with an empty directory, while no
            server runs. compare has topics of its own, and deletes them.

              bin/persist kafka compare 1000 2000 200 --rounds 3 --punctuate 40 --timer-delay 10 --output runs
              bin/persist report runs
            """;

    private static final String END = """

            Tables go to standard output as Markdown, how far it is to standard error. After the run, after kill -9 and
            after a restore the whole state is looked at: workflows, task runs, and a checksum of both.
            Exit code: 0 done, 1 it failed; 2 wrong use.
            """;

    private KafkaHelp() {}

    static void print(CommandLine commandLine, PrintStream out) {
        out.println(BEGINNING);
        commandLine.printFlags(out);
        out.print(END);
    }
}
