BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
CREATE TABLE analyses (
	game_id VARCHAR(10) NOT NULL, 
	content TEXT NOT NULL, 
	CONSTRAINT pk_analyses PRIMARY KEY (game_id), 
	CONSTRAINT fk_analyses_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE TABLE certificates (
	fingerprint VARCHAR(64) NOT NULL, 
	player_id INTEGER NOT NULL, 
	first_used_at DATETIME NOT NULL, 
	CONSTRAINT pk_certificates PRIMARY KEY (fingerprint), 
	CONSTRAINT fk_certificates_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
INSERT INTO "certificates" VALUES('2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90',1,'2026-11-20 14:02:00.000000');
INSERT INTO "certificates" VALUES('81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9',2,'2026-11-20 14:02:00.000000');
INSERT INTO "certificates" VALUES('4c26d9074c27d89ede59270c0ac14b71e071b15239519f75474b2f3ba63481f5',3,'2026-11-20 14:02:00.000000');
CREATE TABLE games (
	id VARCHAR(10) NOT NULL, 
	variant VARCHAR(16) NOT NULL, 
	listed BOOLEAN NOT NULL, 
	x_player_id INTEGER, 
	o_player_id INTEGER, 
	status VARCHAR(16) NOT NULL, 
	winner VARCHAR(1), 
	x_points FLOAT, 
	o_points FLOAT, 
	ply INTEGER NOT NULL, 
	turn VARCHAR(1) NOT NULL, 
	turn_counter INTEGER NOT NULL, 
	draw_offered_by VARCHAR(1), 
	x_offered_at_turn INTEGER, 
	o_offered_at_turn INTEGER, 
	created_at DATETIME NOT NULL, 
	moved_at DATETIME NOT NULL, 
	ended_at DATETIME, x_bot VARCHAR(16), o_bot VARCHAR(16), bot_to_move BOOLEAN DEFAULT 0 NOT NULL, hints INTEGER DEFAULT '0' NOT NULL, analysis_due BOOLEAN DEFAULT 0 NOT NULL, days_a_move INTEGER, lists_when_joined BOOLEAN DEFAULT 0 NOT NULL, takeback_asked_by VARCHAR(1), challenged_player_id INTEGER CONSTRAINT fk_games_challenged_player_id_players REFERENCES players (id), previous_id VARCHAR(10) CONSTRAINT fk_games_previous_id_games REFERENCES games (id), next_id VARCHAR(10) CONSTRAINT fk_games_next_id_games REFERENCES games (id), started_at DATETIME, 
	CONSTRAINT pk_games PRIMARY KEY (id), 
	CONSTRAINT fk_games_x_player_id_players FOREIGN KEY(x_player_id) REFERENCES players (id), 
	CONSTRAINT fk_games_o_player_id_players FOREIGN KEY(o_player_id) REFERENCES players (id)
);
INSERT INTO "games" VALUES('wpk2bakicw','tinc',1,1,2,'finished','X',1.0,0.0,5,'O',5,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,0,0,1,NULL,0,NULL,NULL,NULL,NULL,'2026-11-20 14:02:00.000000');
INSERT INTO "games" VALUES('vbo7my4cf6','ultimate',1,1,2,'finished','X',1.0,0.0,21,'O',21,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,0,0,1,NULL,0,NULL,NULL,NULL,NULL,'2026-11-20 14:02:00.000000');
INSERT INTO "games" VALUES('iafdmmjya2','numeric',1,1,2,'finished','O',0.0,1.0,4,'X',4,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,0,0,1,NULL,0,NULL,NULL,NULL,NULL,'2026-11-20 14:02:00.000000');
INSERT INTO "games" VALUES('sbebmz6uyx','quantum',1,1,2,'finished','X',1.0,0.5,7,'X',7,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,0,0,1,NULL,0,NULL,NULL,NULL,NULL,'2026-11-20 14:02:00.000000');
INSERT INTO "games" VALUES('crvpgo5inj','extreme',1,1,2,'finished','X',1.0,0.0,25,'O',25,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,0,0,1,NULL,0,NULL,NULL,NULL,NULL,'2026-11-20 14:02:00.000000');
INSERT INTO "games" VALUES('ejlx7m2c35','ultimate',0,1,2,'playing',NULL,NULL,NULL,2,'X',2,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,NULL,0,0,0,NULL,0,NULL,NULL,NULL,NULL,'2026-11-20 14:02:00.000000');
INSERT INTO "games" VALUES('jnb5xokppa','tinc',1,3,NULL,'waiting',NULL,NULL,NULL,0,'X',0,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,NULL,0,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "games" VALUES('k2vcgqut6p','numeric',0,1,1,'playing',NULL,NULL,NULL,0,'X',0,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,NULL,0,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "games" VALUES('dkghdudqsq','numeric',0,1,NULL,'playing',NULL,NULL,NULL,0,'X',0,NULL,NULL,NULL,'2026-11-20 14:02:00.000000','2026-11-20 14:02:00.000000',NULL,NULL,'novice',0,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE moves (
	game_id VARCHAR(10) NOT NULL, 
	ply INTEGER NOT NULL, 
	move VARCHAR(64) NOT NULL, 
	side VARCHAR(1) NOT NULL, 
	played_at DATETIME NOT NULL, takebacks INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_moves PRIMARY KEY (game_id, ply), 
	CONSTRAINT fk_moves_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
INSERT INTO "moves" VALUES('wpk2bakicw',1,'a1','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('wpk2bakicw',2,'c1','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('wpk2bakicw',3,'b3+d3','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('wpk2bakicw',4,'d4','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('wpk2bakicw',5,'a3+e3','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',1,'d7','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',2,'c3','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',3,'h8','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',4,'e4','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',5,'e2','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',6,'e6','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',7,'e7','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',8,'d3','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',9,'a9','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',10,'b7','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',11,'e3','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',12,'e9','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',13,'f7','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',14,'i3','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',15,'g9','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',16,'c9','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',17,'i7','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',18,'g3','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',19,'b8','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',20,'f6','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('vbo7my4cf6',21,'c7','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('iafdmmjya2',1,'a1=5','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('iafdmmjya2',2,'a2=8','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('iafdmmjya2',3,'c1=1','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('iafdmmjya2',4,'a3=2','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('sbebmz6uyx',1,'b1+a3','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('sbebmz6uyx',2,'a2+b3','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('sbebmz6uyx',3,'b1+b2','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('sbebmz6uyx',4,'a1+a3','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('sbebmz6uyx',5,'b1+b3','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('sbebmz6uyx',6,'a3+b3','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('sbebmz6uyx',7,'a3','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',1,'k8','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',2,'o6','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',3,'r9','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',4,'i9','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',5,'r7','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',6,'i1','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',7,'q3','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',8,'o9','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',9,'r8','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',10,'r6','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',11,'g9','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',12,'l7','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',13,'r1','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',14,'r3','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',15,'h8','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',16,'m4','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',17,'c1','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',18,'p3','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',19,'b9','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',20,'o8','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',21,'p6','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',22,'j7','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',23,'b2','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',24,'o5','O','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('crvpgo5inj',25,'q6','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('ejlx7m2c35',1,'e5','X','2026-11-20 14:02:00.000000',0);
INSERT INTO "moves" VALUES('ejlx7m2c35',2,'d4','O','2026-11-20 14:02:00.000000',0);
CREATE TABLE plans (
	game_id VARCHAR(10) NOT NULL, 
	side VARCHAR(1) NOT NULL, 
	content TEXT NOT NULL, 
	CONSTRAINT pk_plans PRIMARY KEY (game_id, side), 
	CONSTRAINT fk_plans_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE TABLE players (
	id INTEGER NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	likeness VARCHAR(24) NOT NULL, 
	actions INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_players PRIMARY KEY (id), 
	CONSTRAINT uq_players_likeness UNIQUE (likeness)
);
INSERT INTO "players" VALUES(1,'alice','allce',8,'2026-11-20 14:02:00.000000');
INSERT INTO "players" VALUES(2,'bob','bob',0,'2026-11-20 14:02:00.000000');
INSERT INTO "players" VALUES(3,'carol','carol',1,'2026-11-20 14:02:00.000000');
CREATE TABLE private_feeds (
	player_id INTEGER NOT NULL, 
	address VARCHAR(32) NOT NULL, 
	CONSTRAINT pk_private_feeds PRIMARY KEY (player_id), 
	CONSTRAINT fk_private_feeds_player_id_players FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT uq_private_feeds_address UNIQUE (address)
);
INSERT INTO "private_feeds" VALUES(1,'ugz44foseqechvckla7raafpz5oohrx7');
INSERT INTO "private_feeds" VALUES(2,'nr6vdjdrktaqoswkrf26syogps2hyadu');
INSERT INTO "private_feeds" VALUES(3,'v6ufy2gehnwxtafp5xthtksb5eyrmc3b');
CREATE TABLE secrets (
	name VARCHAR(32) NOT NULL, 
	value BLOB NOT NULL, 
	CONSTRAINT pk_secrets PRIMARY KEY (name)
);
INSERT INTO "secrets" VALUES('action keys',X'3365093AE54FD35EA7F758F66C361860D1385720A6177031DAE16EB4B010350B');
CREATE TABLE vacations (
	id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	begins_at DATETIME NOT NULL, 
	ends_at DATETIME NOT NULL, 
	CONSTRAINT pk_vacations PRIMARY KEY (id), 
	CONSTRAINT fk_vacations_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_certificates_player_id ON certificates (player_id);
CREATE INDEX ix_games_x_player ON games (x_player_id, status, moved_at, id);
CREATE INDEX ix_games_o_player ON games (o_player_id, status, moved_at, id);
CREATE INDEX ix_games_listed ON games (listed, status, moved_at, id);
CREATE INDEX ix_games_listed_variant ON games (listed, variant, status, moved_at, id);
CREATE INDEX ix_games_analysis_due ON games (ended_at, id) WHERE analysis_due;
CREATE INDEX ix_games_bot_to_move ON games (moved_at, id) WHERE bot_to_move;
CREATE INDEX ix_games_challenged ON games (challenged_player_id, status, moved_at, id);
CREATE INDEX ix_games_clock ON games (status, days_a_move, moved_at, id) WHERE ended_at IS NULL;
CREATE INDEX ix_games_lapse ON games (status, listed, created_at, id) WHERE ended_at IS NULL;
CREATE INDEX ix_vacations_player ON vacations (player_id, ends_at);
CREATE INDEX ix_games_begun ON games (created_at, id) WHERE listed = 1;
CREATE INDEX ix_games_begun_variant ON games (variant, created_at, id) WHERE listed = 1;
CREATE INDEX ix_games_x_player_listed ON games (x_player_id, status, moved_at, id) WHERE listed = 1;
CREATE INDEX ix_games_o_player_listed ON games (o_player_id, status, moved_at, id) WHERE listed = 1;
COMMIT;
